import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused } from '../../testing/refusals.ts';
import { writtenText } from '../../testing/written-text.ts';
import {
  batchEmbedContentsClient,
  batchEmbedContentsUpstream,
  embedContentClient,
  readBatchEmbedContents,
  readEmbedContent,
} from '../gemini-embeddings/index.ts';
import { openaiEmbeddingsClient, openaiEmbeddingsUpstream, readEmbedding } from '../openai-embeddings/index.ts';
import type { RelayRequest } from '../protocol.ts';
import { readChat } from '../openai-chat/index.ts';
import { type EmbeddingClientSide, type EmbeddingUpstreamSide, translateEmbedding } from './translate-embedding.ts';

interface Sides {
  from: EmbeddingClientSide;
  to: EmbeddingUpstreamSide;
}
const toGemini = { from: openaiEmbeddingsClient, to: batchEmbedContentsUpstream };
const toOpenai = { from: embedContentClient, to: openaiEmbeddingsUpstream };
const batchToOpenai = { ...toOpenai, from: batchEmbedContentsClient };
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const target = { upstreamModel: 'up', dropFields: [] };

function translate(request: RelayRequest, sides: Sides, strict = false): RelayRequest {
  const translated = translateEmbedding(request, { ...sides, strict, id: 'Id1' });
  assert.ok(translated !== undefined);
  return translated;
}
const sent = (request: RelayRequest): unknown => JSON.parse(writtenText(request.write(target)));
const reported = (request: RelayRequest, answer: unknown): unknown => {
  const bytes = request.writeAnswer?.(json(answer));
  return bytes === undefined ? undefined : JSON.parse(bytes.toString());
};
const openai = (more: object = {}) => readEmbedding(json({ model: 'm', input: ['a', 'bb'], ...more }));

describe('fields that a channel filters out', () => {
  const write = (request: RelayRequest, ...dropFields: string[]): string =>
    writtenText(request.write({ ...target, dropFields }));

  test('are left out of translated requests for vectors too, and named', () => {
    const request = translate(openai({ dimensions: 2 }), toGemini);
    assert.doesNotMatch(write(request, 'output_dimensionality'), /outputDimensionality/);
    assert.deepEqual(request.dropped, ['dimensions']);
    assert.match(write(request), /outputDimensionality/);
    assert.deepEqual(request.dropped, [], 'another channel takes it');
    const asked = { content: { parts: [{ text: 'a' }] }, outputDimensionality: 3 };
    const one = translate(readEmbedContent(json(asked), 'm'), toOpenai);
    assert.equal(write(one, 'dimensions', 'encoding_format'), '{"model":"up","input":["a"]}');
    assert.deepEqual(one.dropped, ['outputDimensionality']);
    const many = translate(readBatchEmbedContents(json({ requests: [asked] }), 'm'), batchToOpenai);
    write(many, 'dimensions');
    assert.deepEqual(many.dropped, ['requests[0].outputDimensionality']);
  });

  test('are refused where the caller is strict', () => {
    const request = translate(openai({ dimensions: 2 }), toGemini, true);
    assertRefused(() => write(request, 'outputDimensionality'), /'dimensions'/, 'dimensions');
  });
});

describe('an embeddings request for an upstream of batchEmbedContents', () => {
  test('becomes one request per text, and the answer a list with usage', () => {
    const request = translate(openai({ dimensions: 2 }), toGemini);
    const asked = (text: string) => ({ model: 'models/up', content: { parts: [{ text }] }, outputDimensionality: 2 });
    assert.deepEqual(sent(request), { requests: [asked('a'), asked('bb')] });
    const embeddings = [{ values: [1, 2] }, { values: [3, 4] }];
    assert.deepEqual(reported(request, { embeddings, usageMetadata: { promptTokenCount: 5 } }), {
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [1, 2] },
        { object: 'embedding', index: 1, embedding: [3, 4] },
      ],
      model: 'm',
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
  });

  test('gets base64 where it asked for it, and usage by size where none is reported', () => {
    const request = translate(openai({ encoding_format: 'base64', input: 'a'.repeat(9) }), toGemini);
    const answer = reported(request, { embeddings: [{ values: [0.5, -1] }] }) as {
      data: { embedding: string }[];
      usage: object;
    };
    const bytes = Buffer.from(answer.data[0]?.embedding ?? '', 'base64');
    assert.deepEqual([bytes.readFloatLE(0), bytes.readFloatLE(4)], [0.5, -1]);
    assert.deepEqual(answer.usage, { prompt_tokens: 3, total_tokens: 3 });
  });

  test('names what cannot be translated, refuses it where the caller is strict, and refuses tokens', () => {
    assert.deepEqual(translate(openai({ user: 'u' }), toGemini).dropped, ['user']);
    assertRefused(
      () => translate(openai({ user: 'u' }), toGemini, true).write(target),
      /cannot take 'user' as asked/,
      'user',
    );
    assertRefused(
      () => translate(openai({ input: [1, 2] }), toGemini),
      "'input' must be text for this model.",
      'input',
    );
  });

  test('gets nothing for an answer that does not fit', () => {
    const request = translate(openai(), toGemini);
    for (const answer of [{ embeddings: [{ values: [1] }] }, { embeddings: [{}, {}] }, { error: {} }, []])
      assert.equal(reported(request, answer), undefined);
  });
});

describe('a request of embedContent or batchEmbedContents for an upstream of embeddings', () => {
  const part = (text: string) => ({ parts: [{ text }] });

  test('becomes an input of texts, and the answer vectors in order', () => {
    const single = translate(readEmbedContent(json({ content: part('a'), outputDimensionality: 3 }), 'm'), toOpenai);
    assert.deepEqual(sent(single), { model: 'up', input: ['a'], dimensions: 3, encoding_format: 'float' });
    const usage = { prompt_tokens: 2, total_tokens: 2 };
    assert.deepEqual(reported(single, { data: [{ index: 0, embedding: [1] }], usage }), {
      embedding: { values: [1] },
      usageMetadata: { promptTokenCount: 2 },
    });
    const requests = [{ content: { parts: [{ text: 'a' }, { text: 'b' }] } }, { content: part('c') }];
    const batch = translate(readBatchEmbedContents(json({ requests }), 'm'), batchToOpenai);
    assert.deepEqual(sent(batch), { model: 'up', input: ['a\nb', 'c'], encoding_format: 'float' });
    const data = [
      { index: 1, embedding: 'AAAAQA==' },
      { index: 0, embedding: [1] },
    ];
    assert.deepEqual(reported(batch, { data }), { embeddings: [{ values: [1] }, { values: [2] }] });
    assert.equal(
      reported(batch, {
        data: [
          { index: 1, embedding: [1] },
          { index: 1, embedding: [1] },
        ],
      }),
      undefined,
    );
  });

  test('names the task, and is refused where it asks for what one call cannot give', () => {
    const requests = [
      { content: part('a'), taskType: 'X' },
      { content: part('b'), task_type: 'X', outputDimensionality: 1 },
    ];
    const path = 'requests[1].outputDimensionality';
    assertRefused(
      () => translate(readBatchEmbedContents(json({ requests }), 'm'), batchToOpenai),
      `'${path}' must be the same in all requests for this model.`,
      path,
    );
    const [first] = requests;
    assert.deepEqual(translate(readBatchEmbedContents(json({ requests: [first] }), 'm'), batchToOpenai).dropped, [
      'requests[0].taskType',
    ]);
    const image = { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AA' } }] } };
    assertRefused(
      () => translate(readEmbedContent(json(image), 'm'), toOpenai),
      "'content.parts[0]' must be text for this model.",
      'content.parts[0]',
    );
  });
});

test('a request for something else is not translated into one for vectors', () => {
  const chat = readChat(json({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }));
  assert.equal(translateEmbedding(chat, { ...toGemini, strict: false, id: 'Id1' }), undefined);
});
