import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { readMessages } from '../../protocols/anthropic-messages/index.ts';
import type { Operation } from '../../protocols/protocol.ts';
import { writtenText } from '../../testing/written-text.ts';
import { requestTarget } from '../build-request.ts';
import type { ProviderOptions } from '../upstream-settings.ts';
import { vertex } from './provider.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
const account = (more: object = {}): string =>
  JSON.stringify({ client_email: 'a@b.iam.gserviceaccount.com', private_key: pem, project_id: 'my-project', ...more });

interface Where {
  baseUrl?: string;
  options?: ProviderOptions;
  credential?: string;
  stream?: boolean;
}

function pathOf(operation: Operation, model: string, where: Where = {}): string {
  const { baseUrl = 'https://us-central1-aiplatform.googleapis.com', options = {}, credential = account() } = where;
  const path = vertex.paths[operation];
  assert.ok(typeof path === 'function');
  return path(model, where.stream === true, { baseUrl, options, credential });
}

const BASE = '/v1/projects/my-project/locations/us-central1';

test('paths name project and location, by options, service account and host (contract-2 9)', () => {
  assert.equal(
    pathOf('generate-content', 'gemini-2.5-flash'),
    `${BASE}/publishers/google/models/gemini-2.5-flash:generateContent`,
  );
  assert.equal(
    pathOf('generate-content', 'gemini-2.5-flash', {
      stream: true,
      baseUrl: 'https://aiplatform.googleapis.com',
      options: { project: 'other' },
    }),
    '/v1/projects/other/locations/global/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  );
  const eu = pathOf('count-content', 'm', { baseUrl: 'https://aiplatform.eu.rep.googleapis.com' });
  assert.match(eu, /\/locations\/eu\/.*:countTokens$/);
  assert.match(pathOf('count-content', 'm', { options: { location: 'asia-east1' } }), /\/locations\/asia-east1\//);
});

test('an API key alone has neither project nor location (express)', () => {
  assert.equal(
    pathOf('generate-content', 'gemini-2.5-flash', { credential: 'api-key-1' }),
    '/v1/publishers/google/models/gemini-2.5-flash:generateContent',
  );
  assert.throws(() => pathOf('generate-content', 'm', { credential: account({ project_id: undefined }) }), /project/);
});

test('Claude is asked by rawPredict, open models by the compatible endpoint, tuned ones by their own (contract-2 9)', () => {
  assert.equal(
    pathOf('messages', 'claude-sonnet-4-5@20250929', { stream: true }),
    `${BASE}/publishers/anthropic/models/claude-sonnet-4-5%4020250929:streamRawPredict`,
  );
  assert.equal(pathOf('count-messages', 'claude-x'), `${BASE}/publishers/anthropic/models/count-tokens:rawPredict`);
  assert.equal(pathOf('chat', 'meta/llama-4'), `${BASE}/endpoints/openapi/chat/completions`);
  assert.equal(pathOf('generate-content', 'endpoints/123'), `${BASE}/endpoints/123:generateContent`);
  const carried = (model: string): string[] =>
    Object.keys(vertex.paths).filter((operation) => vertex.carries?.(operation as Operation, model));
  assert.deepEqual(carried('claude-opus-4-6'), ['messages', 'count-messages']);
  assert.deepEqual(carried('gemini-3-pro'), ['generate-content', 'count-content']);
  assert.deepEqual(carried('endpoints/123'), ['generate-content', 'count-content']);
  assert.deepEqual(carried('meta/llama-4'), ['chat']);
});

test('a request of messages is sent byte for byte, without the model and with the version (contract-2 9)', () => {
  const body = '{"model":"m", "max_tokens":5,"stream":true,"messages":[{"role":"user","content":"ä  b"}]}';
  const request = readMessages(Buffer.from(body));
  const target = requestTarget(vertex, { operation: 'messages', request }, { upstreamModel: 'x', dropFields: [] });
  assert.equal(
    writtenText(request.write(target)),
    '{"max_tokens":5,"stream":true,"messages":[{"role":"user","content":"ä  b"}],"anthropic_version":"vertex-2023-10-16"}',
  );
});

test('a wrapped request to count is sent without its wrap', () => {
  const envelope = vertex.envelopes?.['count-content'];
  const wrapped = { generateContentRequest: { model: 'models/x', contents: [{ parts: [] }] } };
  assert.equal(String(envelope?.write(Buffer.from(JSON.stringify(wrapped)))), '{"contents":[{"parts":[]}]}');
  assert.equal(String(envelope?.write(Buffer.from('{"contents":[]}'))), '{"contents":[]}');
});

test('a service account that can never sign is named before it is stored; an API key is sent as it is', async () => {
  assert.equal(vertex.checkCredential?.(account()), undefined);
  assert.match(vertex.checkCredential?.(account({ private_key: 'x' })) ?? '', /private_key/);
  assert.match(vertex.checkCredential?.('{}') ?? '', /client_email/);
  const request = { method: 'GET', origin: 'https://x', path: '/', headers: {}, body: null } as const;
  const settings = { baseUrl: 'https://x', options: {} };
  assert.deepEqual(await vertex.sign(request, 'key-1', { now: () => 0 }, settings), { 'x-goog-api-key': 'key-1' });
});
