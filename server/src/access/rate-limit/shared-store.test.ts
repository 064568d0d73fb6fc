// What the shared windows do when their store fails (FT-06): gone, slow, flushed, talking nonsense.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { systemClock } from '../../shared/clock.ts';
import { randomLetters } from '../../shared/ids.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { InProcessStore } from './in-process-store.ts';
import type { RateSubject, RateRequest, RemoteRateStore } from './rate-store.ts';
import { RedisStore } from './redis-store.ts';
import { SharedStore } from './shared-store.ts';

let names = 0;
const subject = (rpm: number): RateSubject => ({
  key: `live:${randomLetters(12)}`,
  rate: { rpm, tpm: undefined, concurrency: undefined },
});
const request = (token: RateSubject): RateRequest => ({ requestId: `req_${++names}`, subjects: [token], tokens: 0 });

async function shared(
  t: TestContext,
  remote: RemoteRateStore,
  startMs = 500,
): Promise<{ store: SharedStore; changes: boolean[] }> {
  const changes: boolean[] = [];
  const local = new InProcessStore(systemClock);
  const store = new SharedStore({ remote, local, onAway: (away) => changes.push(away), probeMs: 20 });
  t.after(() => store.close());
  await store.start(startMs);
  return { store, changes };
}

async function admitted(store: SharedStore, token: RateSubject, times: number): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: times }, async () => store.admit(request(token))));
  return verdicts.filter(({ blockedBy }) => blockedBy === undefined).length;
}

describe('shared rate windows', () => {
  for (const nonsense of [
    '+PONG\r\n',
    '$-1\r\n',
    '*3\r\n:1\r\n:2\r\n$3\r\nabc\r\n',
    'HTTP/1.1 400 Bad Request\r\n\r\n',
  ]) {
    test(`a keeper that answers ${JSON.stringify(nonsense)} counts as away, and this process limits alone`, async (t) => {
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', () => void socket.write(nonsense));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => server.close());
      const { store } = await shared(t, new RedisStore(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`));
      const token = subject(3);
      assert.equal(await admitted(store, token, 10), 3);
      await store.start(100);
      assert.equal(await admitted(store, token, 10), 0);
    });
  }

  test('what the keeper admitted is known when it goes, and it is used again when it is back', async (t) => {
    let alive = true;
    const kept = new InProcessStore(systemClock);
    const remote: RemoteRateStore = {
      ping: async () => (alive ? undefined : Promise.reject(new Error('gone'))),
      admit: async (one) => (alive ? kept.admit(one) : Promise.reject(new Error('gone'))),
      add: async (one, output) => kept.add(one, output),
      end: async (end) => kept.end(end),
      close: () => {},
    };
    const { store, changes } = await shared(t, remote);
    const token = subject(10);
    assert.equal(await admitted(store, token, 4), 4);
    alive = false;
    assert.equal(await admitted(store, token, 20), 6, 'four were used before');
    assert.equal(store.isAway, true);
    alive = true;
    await waitUntil(() => !store.isAway, 'it is not used again');
    assert.deepEqual(changes, [false, true, false]);
    assert.equal(await admitted(store, token, 20), 6, 'it had counted four');
  });

  const url = process.env['TEST_REDIS_URL'];
  const skip = url === undefined ? 'TEST_REDIS_URL is not set; npm test sets it' : false;
  test('a Redis that lost its scripts and windows goes on with new ones', { skip }, async (t) => {
    const { store } = await shared(t, new RedisStore(url ?? '', { commandMs: 60_000 }), 60_000);
    const token = subject(5);
    assert.equal(await admitted(store, token, 10), 5);
    const redis = new Redis(url ?? '');
    t.after(() => redis.disconnect());
    await redis.script('FLUSH');
    await redis.del(`tollgate:rate:${token.key}:requests`);
    assert.equal(await admitted(store, token, 10), 5);
    await redis.set(`tollgate:rate:${token.key}:requests`, 'not a hash');
    assert.equal(await admitted(store, token, 10), 0, 'wrong data: this process counts on');
  });

  test('after an answer that was lost, verdicts are of those who asked again', { skip }, async (t) => {
    const { hostname, port } = new URL(url ?? '');
    let isLossDue = false;
    const between = createServer((client) => {
      const server = connect(Number(port), hostname);
      for (const socket of [client, server]) socket.on('error', () => {}).on('close', () => socket.destroy());
      client.on('close', () => server.destroy()).pipe(server);
      server.on('data', (bytes) => {
        if (!isLossDue) client.write(bytes);
        isLossDue = false;
      });
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    t.after(() => between.close());
    const remote = new RedisStore(`redis://127.0.0.1:${(between.address() as AddressInfo).port}`);
    const { store } = await shared(t, remote);
    assert.equal(await admitted(store, subject(3), 5), 3);
    isLossDue = true;
    await admitted(store, subject(3), 1);
    assert.equal(store.isAway, true);
    await store.start(10_000);
    assert.equal(store.isAway, false, 'shared again');
    for (const rpm of [5, 6, 7]) {
      const { uses } = await store.admit(request(subject(rpm)));
      assert.equal(uses[0]?.requests?.limit, rpm);
      assert.equal(uses[0]?.requests?.used, 1);
    }
  });
});
