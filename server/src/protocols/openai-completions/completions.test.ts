import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import { assertRefused } from '../../testing/refusals.ts';
import { writtenText } from '../../testing/written-text.ts';
import { openaiCompletions, readCompletion } from './index.ts';

const read = (text: string) => readCompletion(Buffer.from(text));
const refuses = (text: string, message: string, param: string): void => assertRefused(() => read(text), message, param);

describe('a completions request', () => {
  test('is read for the route, the stream and what it may cost (spec 2.10)', () => {
    const plain = read('{"model":"m","prompt":"hi"}');
    assert.deepEqual(
      [plain.model, plain.stream, plain.maxOutputTokens, plain.choices, plain.inputBytes],
      ['m', false, undefined, 1, 27],
    );
    const full = read('{"model":"m","prompt":"hi","stream":true,"max_tokens":5,"n":3}');
    assert.deepEqual([full.stream, full.maxOutputTokens, full.choices], [true, 5, 3]);
  });

  test('has its newer limit of output tokens read, checked and lowered like the older one (spec 2.10)', () => {
    const both = read('{"model":"m","prompt":"hi","max_tokens":5,"max_completion_tokens":9}');
    assert.equal(both.maxOutputTokens, 9);
    const fitted = both.fit?.(3);
    assert.equal(fitted?.maxOutputTokens, 3);
    const written = fitted?.write({ upstreamModel: 'm', dropFields: [] });
    assert.ok(written !== undefined);
    assert.equal(writtenText(written), '{"model":"m","prompt":"hi","max_tokens":3,"max_completion_tokens":3}');
    const name = 'max_completion_tokens';
    refuses(`{"model":"m","prompt":"x","${name}":"ten"}`, `'${name}' must be a whole number.`, name);
    refuses(`{"model":"m","prompt":"x","${name}":1,"${name}":2}`, `'${name}' is given more than once.`, name);
  });

  test('may cost as many answers as it has prompts, times the larger of n and best_of', () => {
    assert.equal(read('{"model":"m","prompt":["a","b"],"n":2}').choices, 4);
    assert.equal(read('{"model":"m","prompt":["a","b"],"n":2,"best_of":5}').choices, 10);
    assert.equal(read('{"model":"m","prompt":[ 15339, 1917 ]}').choices, 1);
    assert.equal(read('{"model":"m","prompt":[[1,2],[3]]}').choices, 2);
  });

  test('is refused without a prompt, or with one of the wrong kind', () => {
    refuses('{"model":"m"}', "'prompt' is required.", 'prompt');
    refuses('{"model":"m","prompt":null}', "'prompt' is required.", 'prompt');
    refuses('{"model":"m","prompt":[ ]}', "'prompt' must not be empty.", 'prompt');
    refuses('{"model":"m","prompt":{"a":1}}', "'prompt' must be a string or an array.", 'prompt');
    refuses('{"prompt":"x"}', "'model' is required.", 'model');
  });

  test('is refused where a field has another type, stands twice or is written in another case', () => {
    refuses('{"model":"m","prompt":"x","stream":"yes"}', "'stream' must be true or false.", 'stream');
    refuses('{"model":"m","prompt":"x","n":0}', "'n' must be a whole number from 1 to 128.", 'n');
    refuses('{"model":"m","prompt":"x","best_of":1.5}', "'best_of' must be a whole number from 1 to 128.", 'best_of');
    refuses('{"model":"m","prompt":"x","prompt":"y"}', "'prompt' is given more than once.", 'prompt');
    refuses('{"model":"m","prompt":"x","Prompt":"y"}', "'Prompt' must be written 'prompt'.", 'prompt');
    const asked = 'stream_options.include_usage';
    refuses(
      '{"model":"m","prompt":"x","stream_options":{"include_usage":1}}',
      `'${asked}' must be true or false.`,
      asked,
    );
  });

  test('is written with the model, the usage of its stream and the filtered fields changed, and nothing else', () => {
    const request = read('{ "model":"m","zeta":[1.0],"prompt":"h\\u00e9","user":"u","stream":true}');
    const written = request.write({ upstreamModel: 'up', dropFields: ['user', 'prompt', 'model'] });
    assert.equal(
      writtenText(written),
      '{ "model":"up","zeta":[1.0],"prompt":"h\\u00e9","stream":true,"stream_options":{"include_usage":true}}',
    );
    const same = '{"model":"m","prompt":"x"}';
    assert.equal(writtenText(read(same).write({ upstreamModel: 'm', dropFields: [] })), same);
  });
});

describe('a completions answer', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const answer = (body: unknown) => openaiCompletions.readAnswer(Buffer.from(JSON.stringify(body)), '');

  test('is known by its choices', () => {
    const choices = [{ text: ' there', index: 0, logprobs: null, finish_reason: 'stop' }];
    const whole = answer({ id: 'cmpl-1', object: 'text_completion', choices, usage });
    assert.deepEqual(whole?.usage, { ...NO_USAGE, input: 3, output: 2 });
    assert.equal(whole?.hasError, false);
    assert.equal(answer({ object: 'text_completion', text: 'x' }), undefined);
    assert.equal(openaiCompletions.readAnswer(Buffer.from('<html>'), ''), undefined);
  });

  const chunk = (text: string, finish_reason: string | null): string =>
    `data: ${JSON.stringify({ id: 'cmpl-1', object: 'text_completion', choices: [{ text, index: 0, finish_reason }] })}\n\n`;
  const counted = `data: ${JSON.stringify({ id: 'cmpl-1', object: 'text_completion', choices: [], usage })}\n\n`;

  test('is followed as a stream, whose usage is shown only to those who asked', () => {
    for (const asks of [true, false]) {
      const options = asks ? ',"stream_options":{"include_usage":true}' : '';
      const reader = read(`{"model":"m","prompt":"x","stream":true${options}}`).readStream();
      const text = chunk('one', null) + chunk('', 'stop');
      const shown = reader.push(Buffer.from(`${text}${counted}data: [DONE]\n\n`));
      assert.equal(String(shown), asks ? text + counted : text);
      assert.equal(reader.ended, true);
      assert.deepEqual(reader.usage, { ...NO_USAGE, input: 3, output: 2 });
    }
  });

  test('counts the first event of a stream as output, and is complete when every prompt is answered', () => {
    const reader = read('{"model":"m","prompt":["a","b"],"stream":true}').readStream();
    assert.equal(reader.outputPieces, 0);
    reader.push(Buffer.from(chunk('one', null)));
    assert.equal(reader.outputPieces, 1);
    reader.push(Buffer.from(chunk('', 'stop')));
    assert.equal(reader.isComplete(), false);
    reader.push(Buffer.from(chunk('', 'length')));
    assert.equal(reader.isComplete(), true);
  });
});
