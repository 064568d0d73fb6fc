// Small requests that name much: the gateway puts in a conversation or a file that it keeps, and its memory stays bounded as
// with large bodies.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import OpenAI, { toFile } from 'openai';
import { begin as beginBatch, ended } from '../support/batches.ts';
import { waitUntil } from '../support/wait.ts';
import { type ChannelOptions, makeWorld, suiteGateway, type World } from '../support/world.ts';

const MB = 1_000_000;
const AT_ONCE = 40;
const MOST_MORE = 700 * MB;

const gateway = await suiteGateway({ settings: { LOG_LEVEL: 'error' } });

async function begin(t: TestContext, channel: ChannelOptions = {}): Promise<World & { client: OpenAI }> {
  const world = await makeWorld(gateway, t, {
    model: { price: { unit: 'request', amount: '0.000001' } },
    channels: [{ options: { speaks: ['chat'] }, ...channel }],
  });
  return { ...world, client: new OpenAI({ apiKey: world.key, baseURL: `${gateway.address}/v1`, maxRetries: 5 }) };
}

/** The most memory that the process takes while they run, beyond what it had. */
async function peakOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak - before;
}

const all = (call: () => Promise<unknown>): Promise<unknown> => Promise.all(Array.from({ length: AT_ONCE }, call));

test('many that read a large kept conversation (promise B-03)', async (t) => {
  const { client, model } = await begin(t);
  const input = Array.from({ length: 400 }, (_, index) => ({
    role: 'user' as const,
    content: `${index} `.padEnd(50_000, 'abc '),
  }));
  const { id } = await client.responses.create({ model, input });
  const listed = await peakOf(() => all(() => client.responses.inputItems.list(id, { limit: 1 })));
  assert.ok(listed < MOST_MORE, `lists of its items took ${Math.round(listed / MB)} MB more`);
  const read = await peakOf(() => all(() => client.responses.retrieve(id)));
  assert.ok(read < MOST_MORE, `reading took ${Math.round(read / MB)} MB more`);
});

test('many that name a large file (contract-2 8, promise B-03)', async (t) => {
  const {
    client,
    model,
    gateway: { upstream },
  } = await begin(t);
  const file = await toFile(Buffer.alloc(20 * MB, 'abc '), 'large.pdf', { type: 'application/pdf' });
  const { id: file_id } = await client.files.create({ file, purpose: 'user_data' });
  const content = [{ type: 'file' as const, file: { file_id } }];
  // Wrong behind the file, so that nothing of it is sent and only the gateway works.
  const ask = () =>
    client.chat.completions
      .create({ model, messages: [{ role: 'user', content }], temperature: 'none' as never })
      .catch((error: { status?: number }) => assert.equal(error.status, 400));
  const before = upstream.records.length;
  const peak = await peakOf(() => all(ask));
  assert.equal(upstream.records.length, before);
  assert.ok(peak < MOST_MORE, `they took ${Math.round(peak / MB)} MB more`);
});

test('two with a large file each run side by side: its bytes are not held twice once it is in the body (promise B-03)', async (t) => {
  const { client, model, gateway: running } = await begin(t, { behave: 'slow-600000' });
  const file = await toFile(Buffer.alloc(45 * MB, 'abc '), 'large.pdf', { type: 'application/pdf' });
  const { id: file_id } = await client.files.create({ file, purpose: 'user_data' });
  const content = [{ type: 'file' as const, file: { file_id } }];
  const before = running.upstream.records.length;
  const leaving = new AbortController();
  const asked = [1, 2].map(() =>
    client.chat.completions
      .create({ model, messages: [{ role: 'user', content }] }, { signal: leaving.signal, maxRetries: 0 })
      .then(
        () => 'answered',
        (error: { status?: number }) => error.status,
      ),
  );
  await waitUntil(() => running.upstream.records.length === before + 2, 'they do not run side by side');
  leaving.abort();
  assert.deepEqual(await Promise.all(asked), [undefined, undefined]);
});

test('lines of a batch that name a large file wait for memory, and all are answered (contract-2 8, promise B-03)', async (t) => {
  const { client, model } = await begin(t);
  const file = await toFile(Buffer.alloc(45 * MB, 'abc '), 'large.pdf', { type: 'application/pdf' });
  const { id: file_id } = await client.files.create({ file, purpose: 'user_data' });
  const body = { model, messages: [{ role: 'user', content: [{ type: 'file', file: { file_id } }] }] };
  const lines = Array.from({ length: 10 }, (_, index) => ({
    custom_id: `l${index}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body,
  }));
  const peak = await peakOf(async () => {
    const batch = await ended(client, (await beginBatch(client, lines)).id);
    assert.deepEqual({ ...batch.request_counts }, { total: 10, completed: 10, failed: 0 });
  });
  assert.ok(peak < MOST_MORE, `they took ${Math.round(peak / MB)} MB more`);
});
