import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anthropicMessagesUpstream, readMessages } from '../protocols/anthropic-messages/index.ts';
import { writeForm } from '../protocols/json/form-request.ts';
import { openaiChatClient, readChat } from '../protocols/openai-chat/index.ts';
import { readEmbedding } from '../protocols/openai-embeddings/index.ts';
import type { Operation, RelayRequest } from '../protocols/protocol.ts';
import { translateInto } from '../protocols/translation/translations.ts';
import { translateRequest } from '../protocols/translation/translate.ts';
import { fakeForm } from '../testing/fake-form.ts';
import { writtenText } from '../testing/written-text.ts';
import { requestTarget } from './build-request.ts';
import type { Provider } from './provider.ts';

/** As clouds that serve a vendor's models want them: the model is in the path, and a version in the body. */
const fake: Pick<Provider, 'rewrites'> = {
  rewrites: {
    messages: { set: { anthropic_version: '"cloud-2023"' }, remove: ['model', 'stream'] },
    chat: ({ headers = {} }) => ({ set: { beta: JSON.stringify((headers['x-beta'] ?? '').split(',')) } }),
    'batch-embed-contents': { set: { tenant: '7' } },
  },
};

function write(request: RelayRequest, operation: Operation, dropFields: string[] = []): string {
  const target = requestTarget(fake, { operation, request }, { upstreamModel: 'up', dropFields });
  return writtenText(request.write(target));
}

const translation = { id: 'i', created: 1, strict: false, defaultMaxOutput: 9 };

test("a provider's fields are spliced into the caller's bytes, and nothing else changes", () => {
  const body = '{ "model":"m","max_tokens" : 5.0, "messages":[{"role":"user","content":"h\\u0069"}],"stream":true }';
  assert.equal(
    write(readMessages(Buffer.from(body)), 'messages'),
    '{ "max_tokens" : 5.0, "messages":[{"role":"user","content":"h\\u0069"}],"anthropic_version":"cloud-2023" }',
  );
});

test("a caller's field of that name is replaced, and a channel's filter still counts", () => {
  const body =
    '{"anthropic_version":"mine","model":"m","max_tokens":5,"top_k":3,"messages":[{"role":"user","content":"hi"}]}';
  assert.equal(
    write(readMessages(Buffer.from(body)), 'messages', ['top_k']),
    '{"anthropic_version":"cloud-2023","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}',
  );
});

test('large bodies stay in the pieces of the buffer that came', () => {
  const content = 'x'.repeat(100_000);
  const bytes = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content }] }));
  const request = readMessages(bytes);
  const target = requestTarget(fake, { operation: 'messages', request }, { upstreamModel: 'up', dropFields: [] });
  const body = request.write(target);
  assert.ok(!Buffer.isBuffer(body));
  const pieces = body.open();
  assert.ok(Array.isArray(pieces));
  assert.ok(pieces.some((piece: Buffer) => piece.buffer === bytes.buffer && piece.length > content.length));
  const { model, anthropic_version: version } = JSON.parse(String(Buffer.concat(pieces)));
  assert.deepEqual([model, version], [undefined, 'cloud-2023']);
});

test('a translated request has them too', () => {
  const chat = readChat(Buffer.from('{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}'));
  const request = translateRequest(chat, { ...translation, from: openaiChatClient, to: anthropicMessagesUpstream });
  assert.ok(request !== undefined);
  const { model, stream, max_tokens: most, anthropic_version: version } = JSON.parse(write(request, 'messages'));
  assert.deepEqual([model, stream, most, version], [undefined, undefined, 9, 'cloud-2023']);
});

test('so has one for vectors', () => {
  const embedding = readEmbedding(Buffer.from('{"model":"m","input":"hi"}'));
  const operation = 'batch-embed-contents';
  const translated = translateInto(operation, { ...translation, request: embedding, wanted: 'embeddings' });
  assert.ok(translated !== undefined);
  const { tenant, requests } = JSON.parse(write(translated.request, operation));
  assert.deepEqual([tenant, requests.length], [7, 1]);
});

test('a form has them as text', () => {
  const form = fakeForm([
    ['model', 'm'],
    ['user', 'u'],
  ]);
  const rewrite = { set: { tenant: '7', region: '"eu"' }, remove: ['model', 'user'] };
  writeForm({ form, model: 'm', fixed: new Set(['model']) }, { upstreamModel: 'up', dropFields: [], rewrite });
  assert.deepEqual(form.rewritten, { set: { tenant: '7', region: 'eu' }, remove: ['model', 'user'] });
});

test('they may depend on the headers that a caller sends', () => {
  const body = '{"model":"up","messages":[{"role":"user","content":"hi"}]}';
  const request = { ...readChat(Buffer.from(body)), headers: { 'x-beta': 'a,b' } };
  assert.equal(write(request, 'chat'), `${body.slice(0, -1)},"beta":["a","b"]}`);
});

test('without a declaration the target is as it was', () => {
  const target = { upstreamModel: 'up', dropFields: [] };
  const request = { stream: false };
  assert.equal(requestTarget(fake, { operation: 'responses', request }, target), target);
  assert.equal(requestTarget({}, { operation: 'chat', request }, target), target);
});
