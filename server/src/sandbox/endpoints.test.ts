// Every failure works on every endpoint.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makePng } from './media/png.ts';
import { writeSilentMp3 } from './media/mp3.ts';
import { startSandbox } from './server.ts';
import { call, type CallOptions, type FormEntry, openCall, waitUntil, writeForm } from './test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

type Ask = { body?: object; form?: FormEntry[]; provider?: 'rerank' | 'anthropic' | 'gemini'; stream?: object };
const headers = { 'anthropic-version': '2023-06-01', 'x-goog-api-key': 'sandbox' };
const model = 'sandbox-any';
const modelField = { name: 'model', value: model };
const content = { role: 'user', parts: [{ text: 'hi' }] };
const png = await makePng({ width: 2, height: 2, seed: 'x' });
const asks: Record<string, Ask> = {
  '/completions': { body: { model, prompt: 'hi' }, stream: { stream: true } },
  '/responses': { body: { model, input: 'hi' }, stream: { stream: true } },
  '/responses/input_tokens': { body: { model, input: 'hi' } },
  '/responses/compact': { body: { model, input: 'hi' } },
  '/embeddings': { body: { model, input: 'hi' } },
  '/moderations': { body: { model, input: 'hi' } },
  '/images/generations': {
    body: { model, prompt: 'hi', size: '8x8' },
    stream: { stream: true, partial_images: 2 },
  },
  '/images/edits': {
    form: [modelField, { name: 'prompt', value: 'hi' }, { name: 'image', value: png, filename: 'x' }],
  },
  '/images/variations': { form: [modelField, { name: 'image', value: png, filename: 'x' }] },
  '/audio/speech': { body: { model, input: 'hi there', voice: 'v' }, stream: { stream_format: 'sse' } },
  '/audio/transcriptions': { form: [modelField, { name: 'file', value: writeSilentMp3(1), filename: 'x' }] },
  '/audio/translations': { form: [modelField, { name: 'file', value: writeSilentMp3(1), filename: 'x' }] },
  '/rerank': { body: { model, query: 'hi', documents: ['a'] }, provider: 'rerank' },
  '/v1/messages': {
    body: { model, max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
    stream: { stream: true },
    provider: 'anthropic',
  },
  '/v1/messages/count_tokens': {
    body: { model, messages: [{ role: 'user', content: 'hi' }] },
    provider: 'anthropic',
  },
  '/v1beta/models/sandbox-any:generateContent': { body: { contents: [content] }, provider: 'gemini' },
  '/v1beta/models/sandbox-any:streamGenerateContent?alt=sse': {
    body: { contents: [content] },
    stream: {},
    provider: 'gemini',
  },
  '/v1beta/interactions': { body: { model, input: 'hi' }, stream: { stream: true }, provider: 'gemini' },
  '/v1beta/models/sandbox-any:countTokens': { body: { contents: [content] }, provider: 'gemini' },
  '/v1beta/models/sandbox-any:embedContent': { body: { content }, provider: 'gemini' },
  '/v1beta/models/sandbox-any:batchEmbedContents': {
    body: { requests: [{ model: 'models/sandbox-any', content }] },
    provider: 'gemini',
  },
};

for (const [path, { body = {}, form, provider = 'openai', stream }] of Object.entries(asks)) {
  const options = (directive: string): CallOptions => ({
    path,
    provider,
    directive,
    headers,
    ...(form === undefined ? {} : writeForm(form)),
  });
  const ask = (directive: string, more = {}) => call(sandbox, { ...body, ...more }, options(directive));

  test(`${path}: chosen failures`, async () => {
    assert.equal((await ask('slow-1')).status, 200);
    for (const [directive, status] of [
      ['fail-503', 503],
      ['rate-limited', 429],
      ['unauthorised', 401],
      ['forbidden', 403],
      ['redirect', 302],
    ] as const) {
      assert.equal((await ask(directive)).status, status);
    }
    assert.match((await ask('garbage')).text, /^<!doctype html>/);
    assert.equal((await ask('empty')).text, '');
    assert.deepEqual([(await ask('cut')).broken, (await ask('end')).broken], [true, false]);
    assert.match((await ask('error-event')).text, /error/);
    assert.equal((await ask('gzip')).headers['content-encoding'], 'gzip');
    assert.ok((await ask('split')).chunks.length > 1);
    await assert.rejects(ask('reset'), { code: 'ECONNRESET' });
    const hanging = openCall(sandbox, body, options('hang'));
    hanging.on('error', () => {});
    await waitUntil(sandbox, (last) => last.directives.includes('hang'));
    hanging.destroy();
    assert.equal((await waitUntil(sandbox, (last) => last.aborted)).status, null);
  });

  if (stream === undefined) continue;
  test(`${path}: chosen failures of a stream`, async () => {
    const whole = await ask('slow-0', stream);
    assert.equal(whole.headers['content-type'], 'text/event-stream; charset=utf-8');
    const cut = await ask('cut-1', stream);
    assert.ok(cut.broken && whole.text.length > cut.text.length && cut.text.length > 0);
    assert.match((await ask('error-event-0', stream)).text, /^(event: error\n)?data: .*error/);
    assert.doesNotMatch((await ask('json', stream)).headers['content-type'] ?? '', /event-stream/);
  });
}

test('directives are also read from the text of each kind of request', async () => {
  const prompt = '[[fail 418]]';
  const statuses = await Promise.all([
    call(sandbox, { model, prompt }, { path: '/completions' }),
    call(sandbox, { model, prompt: ['a', prompt] }, { path: '/completions' }),
    call(sandbox, { model, input: prompt }, { path: '/responses' }),
    call(sandbox, { model, input: [{ role: 'user', content: prompt }] }, { path: '/responses' }),
    call(sandbox, { model, input: ['a', prompt] }, { path: '/embeddings' }),
    call(sandbox, { model, input: [{ type: 'text', text: prompt }] }, { path: '/moderations' }),
    call(sandbox, { model, prompt }, { path: '/images/generations' }),
    call(sandbox, { model, input: prompt, voice: 'x' }, { path: '/audio/speech' }),
    call(sandbox, { model, query: prompt, documents: ['a'] }, { path: '/rerank', provider: 'rerank' }),
    call(sandbox, { messages: [{ role: 'user', content: prompt }] }, { path: '/v1/messages', provider: 'anthropic' }),
    ...[
      { contents: { parts: { text: prompt } } },
      { content: { parts: [{ text: prompt }] } },
      { requests: [{ content: { parts: [{ text: prompt }] } }] },
    ].map((body) => call(sandbox, body, { path: '/v1beta/models/x:countTokens', provider: 'gemini', headers })),
    call(sandbox, {}, { path: '/audio/translations', ...writeForm([modelField, { name: 'prompt', value: prompt }]) }),
  ]);
  assert.ok(statuses.every(({ status }) => status === 418));
});

test('a large JSON body leaves a short record', async () => {
  const prompt = 'x'.repeat(5_000_000);
  await call(sandbox, { model, prompt }, { path: '/completions' });
  const record = sandbox.records.at(-1);
  assert.ok(JSON.stringify(record).length < 100_000);
  const kept = record?.body as { prompt: string } | undefined;
  assert.match(kept?.prompt ?? '', /5000000 characters, sha256 [0-9a-f]{64}/);
});
