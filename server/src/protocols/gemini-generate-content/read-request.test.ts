import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused } from '../../testing/refusals.ts';
import { writtenText } from '../../testing/written-text.ts';
import { readCountTokens, readGenerateContent, writeTokenCount } from './index.ts';

const route = { model: 'm', stream: false, framing: 'events' } as const;
const read = (text: string) => readGenerateContent(Buffer.from(text), route);
const refuses = (text: string, message: string, param: string): void => assertRefused(() => read(text), message, param);
const TURN = '{"parts":[{"text":"hi"}]}';

describe('a generate-content request', () => {
  test('tells its limits in either spelling, and takes model and stream from the path (spec 4.5)', () => {
    const camel = read(`{"contents":[${TURN}],"generationConfig":{"maxOutputTokens":7,"candidateCount":2}}`);
    assert.deepEqual([camel.model, camel.stream, camel.maxOutputTokens, camel.choices], ['m', false, 7, 2]);
    const snake = read(`{"contents":[${TURN}],"generation_config":{"max_output_tokens":7,"candidate_count":2}}`);
    assert.deepEqual([snake.maxOutputTokens, snake.choices], [7, 2]);
    const bare = read(`{"contents":[${TURN}]}`);
    assert.deepEqual([bare.maxOutputTokens, bare.choices, bare.framing], [undefined, 1, undefined]);
  });

  test('says in either spelling that a part of it is kept elsewhere', () => {
    for (const name of ['cachedContent', 'cached_content'])
      assert.equal(read(`{"contents":[${TURN}],"${name}":"cachedContents/1"}`).refersElsewhere, true);
    assert.equal(read(`{"contents":[${TURN}]}`).refersElsewhere, false);
  });

  test('is refused by the field that is missing, empty or of the wrong type', () => {
    refuses('{}', "'contents' is required.", 'contents');
    refuses('{"contents":[]}', "'contents' must not be empty.", 'contents');
    refuses('{"contents":"hi"}', "'contents' must be an array.", 'contents');
    refuses('{"contents":["hi"]}', "'contents[0]' must be an object.", 'contents[0]');
    refuses(`{"contents":[${TURN},{}]}`, "'contents[1].parts' is required.", 'contents[1].parts');
    refuses('{"contents":[{"parts":{}}]}', "'contents[0].parts' must be an array.", 'contents[0].parts');
    refuses('{"contents":[{"parts":[]}]}', "'contents[0].parts' must not be empty.", 'contents[0].parts');
    refuses('{"contents":[{"role":1,"parts":[1]}]}', "'contents[0].role' must be a string.", 'contents[0].role');
    const config = (inner: string): string => `{"contents":[${TURN}],"generationConfig":${inner}}`;
    refuses(config('[]'), "'generationConfig' must be an object.", 'generationConfig');
    refuses(config('{"topK":"x"}'), "'generationConfig.topK' must be a number.", 'generationConfig.topK');
    refuses(config('{"top_p":"x"}'), "'generationConfig.top_p' must be a number.", 'generationConfig.top_p');
    const path = 'generationConfig.maxOutputTokens';
    refuses(config('{"maxOutputTokens":0}'), `'${path}' must be a whole number of at least 1.`, path);
    const count = 'generationConfig.candidateCount';
    refuses(config('{"candidateCount":999}'), `'${count}' must be a whole number from 1 to 128.`, count);
  });

  test('is refused where readers could disagree: fields given twice, in both spellings or in other letters', () => {
    refuses(`{"contents":[${TURN}],"contents":[${TURN}]}`, "'contents' is given more than once.", 'contents');
    refuses(
      `{"contents":[${TURN}],"generationConfig":{},"generation_config":{}}`,
      "'generationConfig' is given more than once.",
      'generationConfig',
    );
    refuses(
      `{"contents":[${TURN}],"GenerationConfig":{}}`,
      "'GenerationConfig' must be written 'generationConfig'.",
      'generationConfig',
    );
    refuses(
      `{"contents":[${TURN}],"generationConfig":{"maxoutputtokens":1}}`,
      "'generationConfig.maxoutputtokens' must be written 'maxOutputTokens'.",
      'generationConfig.maxOutputTokens',
    );
    const slashed = { ...route, model: 'a/m' };
    for (const model of ['a/m', 'models/a/m'])
      assert.equal(readGenerateContent(Buffer.from(`{"model":"${model}","contents":[${TURN}]}`), slashed).model, 'a/m');
    refuses(`{"model":"models/x","contents":[${TURN}]}`, "'model' must be the model of the path.", 'model');
  });

  test('is sent as it came: only a model in it is renamed, and filtered fields go in both spellings', () => {
    const body = `{ "contents":[ ${TURN}], "safety_settings":[],"x":1e2, "labels":{} }`;
    assert.equal(writtenText(read(body).write({ upstreamModel: 'up', dropFields: [] })), body);
    assert.equal(
      writtenText(read(body).write({ upstreamModel: 'up', dropFields: ['safetySettings', 'contents', 'labels'] })),
      `{ "contents":[ ${TURN}], "x":1e2 }`,
    );
    assert.equal(
      writtenText(read(`{"model":"models/m","contents":[${TURN}]}`).write({ upstreamModel: 'up', dropFields: [] })),
      `{"model":"models/up","contents":[${TURN}]}`,
    );
  });
});

describe('a request to count tokens', () => {
  const count = (text: string) => readCountTokens(Buffer.from(text), 'm');

  test('takes contents alone, or a whole request whose model is renamed', () => {
    const bare = count(`{"contents":[${TURN}]}`);
    assert.equal(bare.readGeneration?.().messages.length, 1);
    const whole = count(
      `{"generateContentRequest":{"model":"models/m","contents":[${TURN}],"systemInstruction":{"parts":[{"text":"s"}]}}}`,
    );
    assert.deepEqual(
      whole.readGeneration?.().messages.map(({ role }) => role),
      ['system', 'user'],
    );
    assert.match(writtenText(whole.write({ upstreamModel: 'up', dropFields: [] })), /"model":"models\/up"/);
    assert.equal(writeTokenCount(3).toString(), '{"totalTokens":3}');
  });

  test('is refused without a prompt, or with two', () => {
    assertRefused(() => count('{}'), "'contents' is required.", 'contents');
    const path = 'generateContentRequest.contents';
    assertRefused(() => count('{"generateContentRequest":{}}'), `'${path}' is required.`, path);
    assertRefused(
      () => count(`{"contents":[${TURN}],"generateContentRequest":{"contents":[${TURN}]}}`),
      "'contents' and 'generateContentRequest' may not both be given.",
      'contents',
    );
  });
});
