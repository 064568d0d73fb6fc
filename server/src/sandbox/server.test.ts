import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startSandbox } from './server.ts';
import { call, chatBody } from './test-client.ts';

const sandbox = await startSandbox({ models: ['own-model'] });
after(() => sandbox.stop());
beforeEach(() => sandbox.clear());

const getControl = async <T>(path: string): Promise<T> => {
  const response = await fetch(`${sandbox.address}/_sandbox/${path}`);
  return (await response.json()) as T;
};

test('base addresses are what a channel takes', () => {
  assert.match(sandbox.address, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(sandbox.baseUrl('openai'), `${sandbox.address}/openai/v1`);
  assert.equal(sandbox.baseUrl('openai', 'fail-500'), `${sandbox.address}/behave/fail-500/openai/v1`);
});

test('the key decides: absent, bad, forbidden, limited, accepted', async () => {
  const status = async (key: string | null) => (await call(sandbox, chatBody('hi'), { key })).status;
  assert.equal(await status(null), 401);
  assert.equal(await status('bad-key'), 401);
  assert.equal(await status('forbidden-1'), 403);
  assert.equal(await status('limited'), 429);
  assert.equal(await status('sandbox'), 200);
  const limited = await call(sandbox, chatBody('hi'), { key: 'limited' });
  assert.equal(limited.headers['retry-after'], '1');
});

test('a record tells what came and what was sent, without the key', async () => {
  const body = chatBody('hi', { unknown_field: { deep: [1] } });
  const got = await call(sandbox, body, { key: 'sk-very-secret' });
  const record = sandbox.records.at(-1);
  assert.partialDeepStrictEqual(record, {
    method: 'POST',
    path: '/openai/v1/chat/completions',
    keyHint: 'cret',
    body,
    rawBody: JSON.stringify(body),
    status: 200,
    bytesSent: Buffer.byteLength(got.text),
    aborted: false,
    finished: true,
  });
  assert.ok(!JSON.stringify(record).includes('very-secret'));
});

test('records, counts and health are read over HTTP, and cleared', async () => {
  for (const text of ['a', 'b', 'c']) await call(sandbox, chatBody(text));
  await call(sandbox, {}, { method: 'GET', path: '/models' });
  type Records = { records: { id: number; path: string }[] };
  const { records } = await getControl<Records>('records');
  assert.equal(records.length, 4);
  assert.equal((await getControl<Records>(`records?after=${records[0]?.id}&limit=2`)).records.length, 2);
  assert.deepEqual(await getControl('counts'), {
    counts: [
      { path: '/openai/v1/chat/completions', model: 'sandbox-chat', calls: 3 },
      { path: '/openai/v1/models', model: null, calls: 1 },
    ],
  });
  assert.deepEqual(await getControl('health'), { status: 'ok' });
  assert.equal((await fetch(`${sandbox.address}/_sandbox/records`, { method: 'DELETE' })).status, 204);
  assert.equal(sandbox.records.length, 0);
  assert.deepEqual(await getControl('counts'), { counts: [] });
  assert.equal((await fetch(`${sandbox.address}/_sandbox/nothing`)).status, 404);
});

test('no more than 10,000 records are kept', async () => {
  const { createRecordBook } = await import('./records.ts');
  const book = createRecordBook();
  const seen = { at: 0, method: 'POST', path: '/', query: {}, keyHint: null, headers: {} };
  for (let index = 0; index < 10_010; index += 1) book.open(seen);
  assert.equal(book.records.length, 10_000);
  assert.equal(book.records[0]?.id, 11);
  const size = 30 * 1024 * 1024;
  const received = { size, head: Buffer.alloc(0), summary: null, summaryBytes: size };
  for (let index = 0; index < 3; index += 1) book.attachBody(book.open(seen), received);
  assert.equal(book.records.length, 2);
});

test('models are listed, found by name, and further ones accepted', async () => {
  const get = (path: string) => call(sandbox, {}, { method: 'GET', path });
  const list = JSON.parse((await get('/models')).text) as { object: string; data: { id: string }[] };
  assert.equal(list.object, 'list');
  const names = list.data.map(({ id }) => id);
  assert.deepEqual([names[0], names.at(-1)], ['sandbox-chat', 'own-model']);
  assert.ok(names.includes('whisper-1') && names.includes('gpt-image-1'));
  assert.equal((await get('/models/sandbox-whatever')).status, 200);
  assert.equal((await get('/models/nothing')).status, 404);
  assert.equal((await call(sandbox, chatBody('hi', { model: 'own-model' }))).status, 200);
});

test('wrong path, method, type and size are refused', async () => {
  assert.equal((await fetch(`${sandbox.address}/nowhere`)).status, 404);
  assert.equal((await call(sandbox, {}, { path: '/nowhere' })).status, 404);
  const wrongMethod = await call(sandbox, {}, { method: 'GET' });
  assert.deepEqual([wrongMethod.status, wrongMethod.headers.allow], [405, 'POST']);
  assert.equal((await call(sandbox, {}, { raw: '{"model":' })).status, 400);
  const headers = { authorization: 'Bearer sandbox', 'content-type': 'text/plain' };
  const plain = await fetch(`${sandbox.baseUrl('openai')}/chat/completions`, { method: 'POST', headers, body: '{}' });
  assert.equal(plain.status, 415);
});

test('a body beyond 64 MiB is refused', async () => {
  const got = await call(sandbox, {}, { raw: `{"model":"${'x'.repeat(65 * 1024 * 1024)}"}` });
  assert.equal(got.status, 413);
  assert.equal(sandbox.records.at(-1)?.rawBody, '');
});

test('JSON nested beyond all reason is answered, and the records stay readable', async () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const messages = '"model":"sandbox-chat","messages":[{"role":"user","content":"f"}]';
  const unknown = await call(sandbox, {}, { raw: `{${messages},"x":${nested(100_000)}}` });
  assert.equal(unknown.status, 200);
  const tools = `[{"type":"function","function":{"name":"f","parameters":{"x":${nested(100_000)}}}}]`;
  assert.equal((await call(sandbox, {}, { raw: `{${messages},"tools":${tools}}` })).status, 500);
  assert.equal((await getControl<{ records: unknown[] }>('records')).records.length, 2);
});

test('stop ends calls that hang, and may be called twice', async () => {
  const short = await startSandbox();
  const hanging = call(short, chatBody('[[hang]]')).catch((error: unknown) => error);
  while (short.records.at(-1)?.directives.length !== 1) await new Promise((resolve) => setTimeout(resolve, 5));
  await short.stop();
  await short.stop();
  assert.ok((await hanging) instanceof Error);
});

test('main runs it alone and stops cleanly on SIGTERM', async () => {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed.toString())?.[0];
  assert.equal((await fetch(`${address}/_sandbox/health`)).status, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
