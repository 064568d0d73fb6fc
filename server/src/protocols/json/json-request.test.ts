import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../errors/gateway-error.ts';
import { readBatchEmbedContents } from '../gemini-embeddings/index.ts';
import { readGenerateContent } from '../gemini-generate-content/index.ts';
import { readMessages } from '../anthropic-messages/index.ts';
import { readChat } from '../openai-chat/index.ts';
import { readEmbedding } from '../openai-embeddings/index.ts';
import { readGeneration } from '../openai-images/index.ts';
import { readResponse } from '../openai-responses/index.ts';
import { readRerank } from '../rerank/index.ts';
import { readGeneration as readVideo } from '../video-generations/read-request.ts';

const MOST = 10_000;
const items = (count: number, item: string): string => `[${Array(count).fill(item).join(',')}]`;

function refusal(read: () => unknown): string {
  try {
    read();
    return 'none';
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    return `${error.status} ${error.details.param ?? ''}: ${error.message}`;
  }
}

const message = '{"role":"user","content":"x"}';
const lists: Record<string, [field: string, read: (count: number) => unknown]> = {
  chat: ['messages', (count) => readChat(Buffer.from(`{"model":"m","messages":${items(count, message)}}`))],
  tools: [
    'tools',
    (count) => readChat(Buffer.from(`{"model":"m","messages":[${message}],"tools":${items(count, '{}')}}`)),
  ],
  messages: [
    'messages',
    (count) => readMessages(Buffer.from(`{"model":"m","max_tokens":1,"messages":${items(count, message)}}`)),
  ],
  responses: ['input', (count) => readResponse(Buffer.from(`{"model":"m","input":${items(count, message)}}`))],
  contents: [
    'contents',
    (count) =>
      readGenerateContent(Buffer.from(`{"contents":${items(count, '{"parts":[{"text":"x"}]}')}}`), {
        model: 'm',
        stream: false,
        framing: 'array',
      }),
  ],
  embeddings: ['input', (count) => readEmbedding(Buffer.from(`{"model":"m","input":${items(count, '"x"')}}`))],
  documents: [
    'documents',
    (count) => readRerank(Buffer.from(`{"model":"m","query":"q","documents":${items(count, '"x"')}}`), 'plain'),
  ],
};

for (const [name, [field, read]] of Object.entries(lists))
  test(`${name}: a list of ${MOST} entries passes, one more is 400 that names it (promise B-06)`, () => {
    assert.equal(
      refusal(() => read(MOST)),
      'none',
    );
    assert.equal(
      refusal(() => read(MOST + 1)),
      `400 ${field}: '${field}' has more than ${MOST} entries.`,
    );
  });

test('a body has 50,000 values at most, at any depth; ten numbers count as one', () => {
  const parts = (count: number): string =>
    refusal(() => readChat(Buffer.from(`{"model":"m","messages":[{"role":"user","content":${items(count, '"x"')}}]}`)));
  assert.equal(parts(49_995), 'none'); // beside them: the model, the list, the message, its role and its content
  assert.match(parts(49_996), /^400 : .*more than 50000 values/);
  const ids = (count: number): string =>
    refusal(() => readEmbedding(Buffer.from(`{"model":"m","input":${items(count, '1')}}`)));
  assert.equal(ids(400_000), 'none');
  assert.match(ids(500_000), /^400 : .*more than 50000 values/);
  const requests = items(8_000, '{"model":"models/m","content":{"parts":[{"text":"x"}]}}');
  assert.equal(
    refusal(() => readBatchEmbedContents(Buffer.from(`{"requests":${requests}}`), 'm')),
    'none',
  );
});

test('fields that nothing large belongs in have 1 MB at most', () => {
  const long = 'x'.repeat(1024 * 1024);
  const tooLarge = (field: string): string => `400 ${field}: '${field}' is larger than 1048576 bytes.`;
  assert.equal(
    refusal(() => readGeneration(Buffer.from(`{"model":"m","prompt":"${long}"}`))),
    tooLarge('prompt'),
  );
  assert.equal(
    refusal(() => readGeneration(Buffer.from(`{"model":"m","prompt":"${long.slice(2)}"}`))),
    'none',
  );
  assert.equal(
    refusal(() => readRerank(Buffer.from(`{"model":"m","query":"${long}","documents":["x"]}`), 'plain')),
    tooLarge('query'),
  );
  assert.equal(
    refusal(() => readChat(Buffer.from(`{"model":"${long}","messages":[${message}]}`))),
    tooLarge('model'),
  );
  assert.equal(
    refusal(() => readVideo(Buffer.from(`{"model":"m","prompt":"p","metadata":"${long}"}`))),
    tooLarge('metadata'),
  );
  assert.equal(
    refusal(() => readVideo(Buffer.from(`{"model":"m","prompt":"p","image":"${long}"}`))),
    'none',
  );
  const nested = JSON.stringify(`{"a":${items(60_000, '[]')}}`);
  assert.equal(
    refusal(() => readVideo(Buffer.from(`{"model":"m","prompt":"p","metadata":${nested}}`))),
    "400 metadata: 'metadata' has more than 50000 values.",
  );
});
