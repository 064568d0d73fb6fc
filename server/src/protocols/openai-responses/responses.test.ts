import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import { assertRefused } from '../../testing/refusals.ts';
import { writtenText } from '../../testing/written-text.ts';
import { openaiResponses, readResponse, readResponseState } from './index.ts';

const read = (text: string) => readResponse(Buffer.from(text));
const refuses = (text: string, message: string, param: string): void => assertRefused(() => read(text), message, param);
const field = (text: string, message: string, name: string): void =>
  refuses(`{"model":"m","input":"x",${text}}`, message, name);

describe('a responses request', () => {
  test('is read for the route, the stream, the money and what it leaves behind', () => {
    const plain = read('{"model":"m","input":"hi"}');
    assert.deepEqual(
      [plain.model, plain.stream, plain.maxOutputTokens, plain.store, plain.previousResponseId],
      ['m', false, undefined, true, undefined],
    );
    const full = read(
      '{"model":"m","input":[{"role":"user","content":"x"}],"stream":true,"store":false,"max_output_tokens":9,"previous_response_id":"resp_1"}',
    );
    assert.deepEqual(
      [full.stream, full.maxOutputTokens, full.store, full.previousResponseId],
      [true, 9, false, 'resp_1'],
    );
    assert.equal(read('{"model":"m","prompt":{"id":"pmpt_1"}}').model, 'm');
  });

  test('is refused without input, or with fields of the wrong type', () => {
    refuses('{"model":"m"}', "'input' is required.", 'input');
    refuses('{"model":"m","input":[]}', "'input' must not be empty.", 'input');
    refuses('{"model":"m","input":{}}', "'input' must be a string or an array.", 'input');
    refuses('{"model":"m","prompt":"x"}', "'prompt' must be an object.", 'prompt');
    refuses('{"input":"x"}', "'model' is required.", 'model');
    field('"stream":1', "'stream' must be true or false.", 'stream');
    field('"max_output_tokens":0', "'max_output_tokens' must be a whole number of at least 1.", 'max_output_tokens');
    field('"tools":{}', "'tools' must be an array.", 'tools');
    field('"store":"no"', "'store' must be true or false.", 'store');
    field('"previous_response_id":""', "'previous_response_id' must not be empty.", 'previous_response_id');
    field('"input":"y"', "'input' is given more than once.", 'input');
  });

  test('is written with only the model and the filtered fields changed', () => {
    const request = read(
      '{"model":"m", "input":"h\\u00e9","service_tier":"flex","previous_response_id":"resp_1","x":1.0}',
    );
    const dropFields = ['service_tier', 'previous_response_id', 'input'];
    assert.equal(
      writtenText(request.write({ upstreamModel: 'up', dropFields })),
      '{"model":"up", "input":"h\\u00e9","previous_response_id":"resp_1","x":1.0}',
    );
  });
});

describe('a whole response', () => {
  const recorded = readFileSync(new URL('__fixtures__/whole.json', import.meta.url));
  const answer = (change: object) =>
    openaiResponses.readAnswer(
      Buffer.from(JSON.stringify({ ...(JSON.parse(String(recorded)) as object), ...change })),
      '',
    );

  test('tells its usage with what was cached and what was reasoning', () => {
    const { usage, hasError } = openaiResponses.readAnswer(recorded, '') ?? {};
    assert.deepEqual(usage, { ...NO_USAGE, input: 36, output: 87, cachedInput: 12, reasoning: 40 });
    assert.equal(hasError, false);
  });

  test('that failed is an error, and one without output is no answer', () => {
    assert.equal(answer({ status: 'failed', error: { code: 'server_error', message: 'no' } })?.hasError, true);
    assert.equal(answer({ output: undefined }), undefined);
    assert.equal(openaiResponses.readAnswer(Buffer.from('{"id":"resp'), ''), undefined);
  });

  test('without usage is counted by the text in it, not by what stands around it (promise M-10)', () => {
    const logprobs = [{ token: 'x'.repeat(9_000), bytes: [1] }];
    const output = [
      { type: 'file_search_call', results: [{ text: 'x'.repeat(9_000) }] },
      { type: 'image_generation_call', result: 'x'.repeat(90_000) },
      { type: 'message', content: [{ type: 'output_text', text: 'x'.repeat(400), logprobs }] },
      { type: 'function_call', call_id: 'c'.repeat(99), arguments: 'x'.repeat(40) },
    ];
    assert.equal(answer({ usage: null, output })?.outputBytes, 440 + 4 * 1_056);
  });

  test('without usage is counted by its size; one that goes on in the background may cost all that was held', () => {
    const { usage, outputBytes = 0 } = answer({ usage: null }) ?? {};
    assert.equal(usage, undefined);
    assert.ok(outputBytes < 200, String(outputBytes));
    assert.equal(answer({ status: 'queued', output: [], usage: null })?.outputBytes, Number.MAX_SAFE_INTEGER);
  });
});

describe('a response that is looked at later', () => {
  const USAGE = { input_tokens: 3, output_tokens: 2 };
  const MESSAGE = [{ type: 'message', content: [{ type: 'output_text', text: 'x'.repeat(400) }] }];
  const state = (status: string, more: object = {}): boolean[] => {
    const body = { id: 'resp_1', status, output: [], usage: null, ...more };
    const { isOver, isDue } = readResponseState(Buffer.from(JSON.stringify(body))) ?? {};
    return [isOver === true, isDue === true];
  };

  test('is not over while it waits or runs, and is due when it is complete, with usage or without', () => {
    for (const status of ['queued', 'in_progress']) assert.deepEqual(state(status, { usage: USAGE }), [false, false]);
    for (const status of ['completed', 'incomplete']) assert.deepEqual(state(status), [true, true]);
  });

  test('that failed is due when it tells its usage, one that was cancelled also when it shows output', () => {
    const error = { code: 'server_error', message: 'no' };
    assert.deepEqual(state('failed', { error }), [true, false]);
    assert.deepEqual(state('failed', { error, output: MESSAGE }), [true, false]);
    assert.deepEqual(state('failed', { error, usage: USAGE }), [true, true]);
    assert.deepEqual(state('cancelled'), [true, false]);
    assert.deepEqual(state('cancelled', { output: MESSAGE }), [true, true]);
    assert.deepEqual(state('cancelled', { usage: USAGE }), [true, true]);
  });

  test('is distinguished from what is no response', () => {
    assert.equal(readResponseState(Buffer.from('{"object":"list"}')), undefined);
    assert.equal(readResponseState(Buffer.from('<html>')), undefined);
  });
});
