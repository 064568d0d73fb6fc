import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import { assertRefused } from '../../testing/refusals.ts';
import { writtenText } from '../../testing/written-text.ts';
import { openaiModerations, readModeration } from './index.ts';

const read = (text: string) => readModeration(Buffer.from(text));
const write = (text: string, upstreamModel: string): string =>
  writtenText(read(text).write({ upstreamModel, dropFields: ['input', 'model', 'extra'] }));

describe('a moderations request', () => {
  test('without a model is one for the default model, which is then named', () => {
    const text = '{"input":"hello"}';
    assert.equal(read(text).model, 'omni-moderation-latest');
    assert.equal(write(text, 'omni-moderation-latest'), '{"input":"hello","model":"omni-moderation-latest"}');
    assert.equal(write('{"model":null,"input":"x"}', 'up'), '{"model":"up","input":"x"}');
  });

  test('with a model is only renamed', () => {
    assert.equal(read('{"model":"m","input":["a"]}').model, 'm');
    assert.equal(write('{"model":"m", "input":["a"],"extra":1}', 'm'), '{"model":"m", "input":["a"]}');
    assert.equal(
      write('{"input":[{"type":"text","text":"a"}],"model":"m"}', 'up'),
      '{"input":[{"type":"text","text":"a"}],"model":"up"}',
    );
  });

  test('is refused by the field that is missing or of the wrong type', () => {
    assertRefused(() => read('{"model":"m"}'), "'input' is required.", 'input');
    assertRefused(() => read('{"input":{}}'), "'input' must be a string or an array.", 'input');
    assertRefused(() => read('{"model":1,"input":"a"}'), "'model' must be a string.", 'model');
    assertRefused(() => read('{"model":"","input":"a"}'), "'model' is required.", 'model');
  });
});

test('a moderations answer is known by its results, and most tell no usage', () => {
  const answer = (body: unknown) => openaiModerations.readAnswer(Buffer.from(JSON.stringify(body)), '');
  assert.deepEqual(answer({ id: 'modr-1', results: [] }), { usage: undefined, hasError: false, outputBytes: 0 });
  assert.deepEqual(answer({ results: [], usage: { prompt_tokens: 4 } })?.usage, { ...NO_USAGE, input: 4 });
  assert.equal(answer({ id: 'modr-1' }), undefined);
  assert.equal(answer({ error: { message: 'no' } })?.hasError, true);
});
