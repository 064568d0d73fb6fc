import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import { assertRefused } from '../../testing/refusals.ts';
import { writtenText } from '../../testing/written-text.ts';
import { geminiBatchEmbedContents, geminiEmbedContent, readBatchEmbedContents, readEmbedContent } from './index.ts';

const CONTENT = '{"parts":[{"text":"hi"}]}';
const one = (text: string) => readEmbedContent(Buffer.from(text), 'm');
const many = (text: string) => readBatchEmbedContents(Buffer.from(text), 'm');
const target = { upstreamModel: 'up', dropFields: [] };

describe('a request for one vector', () => {
  test('is sent as it came, with a model in it renamed and filtered fields taken out', () => {
    const body = `{ "content":${CONTENT}, "task_type":"X","new":1 }`;
    assert.equal(writtenText(one(body).write(target)), body);
    assert.equal(
      writtenText(one(body).write({ ...target, dropFields: ['taskType', 'content'] })),
      `{ "content":${CONTENT}, "new":1 }`,
    );
    assert.equal(
      writtenText(one(`{"model":"models/m","content":${CONTENT}}`).write(target)),
      `{"model":"models/up","content":${CONTENT}}`,
    );
    assert.deepEqual([one(body).maxOutputTokens, one(body).stream], [0, false]);
  });

  test('is refused by its field', () => {
    assertRefused(() => one('{}'), "'content' is required.", 'content');
    assertRefused(() => one('{"content":"hi"}'), "'content' must be an object.", 'content');
    assertRefused(() => one('{"content":{}}'), "'content.parts' is required.", 'content.parts');
    const path = 'outputDimensionality';
    assertRefused(() => one(`{"content":${CONTENT},"${path}":"x"}`), `'${path}' must be a whole number.`, path);
    assertRefused(
      () => one(`{"content":${CONTENT},"model":"other"}`),
      "'model' must be the model of the path.",
      'model',
    );
  });
});

describe('a request for many vectors', () => {
  test("may name a model with a slash as the vendor's library does", () => {
    const body = Buffer.from(`{"requests":[{"model":"models/emb/x","content":${CONTENT}}]}`);
    const write = (upstreamModel: string): string =>
      writtenText(readBatchEmbedContents(body, 'emb/x').write({ upstreamModel, dropFields: [] }));
    assert.match(write('emb/x'), /"model":"models\/emb\/x"/);
    assert.match(write('tunedModels/y'), /"model":"tunedModels\/y"/);
    assert.match(write('models/z'), /"model":"models\/z"/);
  });

  test('names the upstream model in every request, and changes nothing else', () => {
    const body = `{"requests":[{"model":"models/m", "content":${CONTENT},"x":1e1},{"content":${CONTENT}}],"y":2}`;
    assert.equal(
      writtenText(many(body).write(target)),
      `{"requests":[{"model":"models/up", "content":${CONTENT},"x":1e1},{"content":${CONTENT},"model":"models/up"}],"y":2}`,
    );
    const same = `{ "requests": [ {"model":"models/m","content":${CONTENT}} ] }`;
    assert.equal(writtenText(many(same).write({ ...target, upstreamModel: 'm' })), same);
  });

  test('is refused by its field', () => {
    assertRefused(() => many('{}'), "'requests' is required.", 'requests');
    assertRefused(() => many('{"requests":[]}'), "'requests' must not be empty.", 'requests');
    assertRefused(() => many('{"requests":[1]}'), "'requests[0]' must be an object.", 'requests[0]');
    assertRefused(() => many('{"requests":[{}]}'), "'requests[0].content' is required.", 'requests[0].content');
    assertRefused(
      () => many(`{"requests":[{"model":"models/x","content":${CONTENT}}]}`),
      "'requests[0].model' must be the model of the path.",
      'requests[0].model',
    );
  });
});

describe('an answer of vectors', () => {
  const answer = (body: unknown) => geminiEmbedContent.readAnswer(Buffer.from(JSON.stringify(body)), '');

  test('is charged by its prompt where it is reported, and else by size', () => {
    assert.deepEqual(
      answer({ embedding: { values: [1] }, usageMetadata: { promptTokenCount: 3, totalTokenCount: 4 } }),
      {
        usage: { ...NO_USAGE, input: 3 },
        hasError: false,
        outputBytes: 0,
      },
    );
    assert.equal(answer({ embeddings: [{ values: [1] }] })?.usage, undefined);
    assert.equal(geminiBatchEmbedContents.readAnswer, geminiEmbedContent.readAnswer);
  });

  test('is none without vectors, and one of an error is reported as such', () => {
    assert.equal(answer({}), undefined);
    assert.equal(answer({ embedding: [] }), undefined);
    assert.equal(answer({ error: {} })?.hasError, true);
  });
});
