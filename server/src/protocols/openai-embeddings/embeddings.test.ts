import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import { assertRefused } from '../../testing/refusals.ts';
import { writtenText } from '../../testing/written-text.ts';
import { openaiEmbeddings, readEmbedding } from './index.ts';

const read = (text: string) => readEmbedding(Buffer.from(text));
const refuses = (text: string, message: string, param: string): void => assertRefused(() => read(text), message, param);

describe('an embeddings request', () => {
  test('takes a text, texts or token ids, and holds nothing for output', () => {
    for (const input of ['"a"', '["a","b"]', '[1,2]', '[[1],[2]]']) {
      const request = read(`{"model":"m","input":${input}}`);
      assert.deepEqual([request.model, request.stream, request.maxOutputTokens], ['m', false, 0]);
    }
  });

  test('is refused by the field that is missing, empty, doubled or of the wrong type', () => {
    refuses('{"model":"m"}', "'input' is required.", 'input');
    refuses('{"model":"m","input":[]}', "'input' must not be empty.", 'input');
    refuses('{"model":"m","input":7}', "'input' must be a string or an array.", 'input');
    refuses('{"model":"m","input":"a","input":"b"}', "'input' is given more than once.", 'input');
    refuses('{"input":"a"}', "'model' is required.", 'model');
    refuses('{"model":"m","input":"a","dimensions":"many"}', "'dimensions' must be a whole number.", 'dimensions');
    refuses(
      '{"model":"m","input":"a","dimensions":0}',
      "'dimensions' must be a whole number of at least 1.",
      'dimensions',
    );
  });

  test('is written with only the model and the filtered fields changed', () => {
    const request = read('{"model":"m", "input":["a" ],"user":"u","x":1e2}');
    assert.equal(
      writtenText(request.write({ upstreamModel: 'up', dropFields: ['user', 'input'] })),
      '{"model":"up", "input":["a" ],"x":1e2}',
    );
    assert.equal(
      writtenText(request.write({ upstreamModel: 'm', dropFields: [] })),
      '{"model":"m", "input":["a" ],"user":"u","x":1e2}',
    );
  });
});

describe('an embeddings answer', () => {
  const answer = (body: unknown) => openaiEmbeddings.readAnswer(Buffer.from(JSON.stringify(body)), '');
  const data = [{ object: 'embedding', index: 0, embedding: [0.1, -0.2] }];

  test('is charged by its prompt tokens, or by the total where that is all there is', () => {
    const usage = { ...NO_USAGE, input: 8 };
    assert.deepEqual(answer({ data, usage: { prompt_tokens: 8, total_tokens: 8 } }), {
      usage,
      hasError: false,
      outputBytes: 0,
    });
    assert.deepEqual(answer({ data, usage: { total_tokens: 8 } })?.usage, usage);
    assert.equal(answer({ data })?.usage, undefined);
    assert.equal(answer({ data, usage: { prompt_tokens: -1 } })?.usage, undefined);
  });

  test('is none without its data, and one of an error is reported as such', () => {
    assert.equal(answer({ object: 'list' }), undefined);
    assert.equal(answer([]), undefined);
    assert.equal(openaiEmbeddings.readAnswer(Buffer.from('{"data":[1'), ''), undefined);
    assert.equal(answer({ error: { message: 'no' } })?.hasError, true);
  });
});
