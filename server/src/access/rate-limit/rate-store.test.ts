// The same promises for windows in this process and for windows in Redis.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { randomLetters } from '../../shared/ids.ts';
import { systemClock } from '../../shared/clock.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { InProcessStore } from './in-process-store.ts';
import { PrimaryRates, PrimaryStore, type RateChannel } from './primary-rates.ts';
import type { RateEnd, RateStore, RateSubject, RateVerdict, RateRequest } from './rate-store.ts';
import { RedisStore } from './redis-store.ts';

interface AwaitedStore {
  admit(request: RateRequest): Promise<RateVerdict>;
  add(request: RateRequest, output: number): Promise<void>;
  end(end: RateEnd): Promise<void>;
}

const NONE = { rpm: undefined, tpm: undefined, concurrency: undefined };

function subject(rate: Partial<RateSubject['rate']>): RateSubject {
  return { key: `live:${randomLetters(10)}`, rate: { ...NONE, ...rate } };
}

let requests = 0;
const request = (subjects: RateSubject[], tokens = 0): RateRequest => ({
  requestId: `req_${++requests}`,
  subjects,
  tokens,
});
const ended = (one: RateRequest, { second }: RateVerdict, used = { input: 0, output: 0 }): RateEnd => ({
  request: one,
  second,
  ...used,
});

function awaited(store: RateStore | RedisStore): AwaitedStore {
  return {
    admit: async (one) => store.admit(one),
    add: async (one, output) => store.add(one, output),
    end: async (end) => store.end(end),
  };
}

function suite(open: () => AwaitedStore): void {
  test('as many requests as the limit says, then none until the first has left the window', async () => {
    const store = open();
    const token = subject({ rpm: 3 });
    for (let used = 1; used <= 3; used++) {
      const verdict = await store.admit(request([token]));
      assert.equal(verdict.blockedBy, undefined);
      assert.deepEqual([verdict.uses[0]?.requests?.limit, verdict.uses[0]?.requests?.used], [3, used]);
    }
    const refused = await store.admit(request([token]));
    assert.equal(refused.blockedBy, 'rpm');
    assert.ok(refused.waitMs > 50_000 && refused.waitMs <= 61_000, `${refused.waitMs}`);
    assert.equal(refused.uses[0]?.requests?.used, 3, 'a refused request is not counted');
  });

  test('parallel requests get exactly the limit', async () => {
    const store = open();
    const token = subject({ rpm: 7 });
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => store.admit(request([token]))));
    assert.equal(verdicts.filter(({ blockedBy }) => blockedBy === undefined).length, 7);
  });

  test('tokens are counted at once, corrected and completed at the end', async () => {
    const store = open();
    const token = subject({ tpm: 1_000 });
    const first = request([token], 600);
    const admitted = await store.admit(first);
    assert.equal(admitted.uses[0]?.tokens?.used, 600);
    assert.equal((await store.admit(request([token], 500))).blockedBy, 'tpm');
    await store.end(ended(first, admitted, { input: 100, output: 250 }));
    const second = await store.admit(request([token], 500));
    assert.deepEqual([second.blockedBy, second.uses[0]?.tokens?.used], [undefined, 850]);
    assert.equal((await store.admit(request([token], 151))).blockedBy, 'tpm');
  });

  test('output is counted as it comes, and at the end only what is left of it', async () => {
    const store = open();
    const token = subject({ tpm: 1_000 });
    const running = request([token], 100);
    const admitted = await store.admit(running);
    await store.add(running, 300);
    await store.add(running, 200);
    assert.equal((await store.admit(request([token], 401))).blockedBy, 'tpm');
    await store.end(ended(running, admitted, { input: 100, output: 50 }));
    assert.equal((await store.admit(request([token], 350))).uses[0]?.tokens?.used, 1_000);
  });

  test('a request larger than its limit waits for nothing', async () => {
    const store = open();
    const { blockedBy, waitMs } = await store.admit(request([subject({ tpm: 10 })], 11));
    assert.deepEqual([blockedBy, waitMs], ['tpm', Infinity]);
  });

  test('concurrent requests make room when they end', async () => {
    const store = open();
    const token = subject({ concurrency: 2 });
    const asked = [request([token]), request([token])];
    const verdicts = await Promise.all(asked.map((one) => store.admit(one)));
    assert.equal((await store.admit(request([token]))).blockedBy, 'concurrency');
    const [first, verdict] = [asked[0], verdicts[0]];
    assert.ok(first !== undefined && verdict !== undefined);
    await store.end(ended(first, verdict));
    await store.end(ended(first, verdict)).catch(() => {});
    assert.equal((await store.admit(request([token]))).blockedBy, undefined);
  });

  test('a request counts for its token and its account, or for neither', async () => {
    const store = open();
    const [token, account] = [subject({ rpm: 10 }), subject({ rpm: 1 })];
    assert.equal((await store.admit(request([token, account]))).blockedBy, undefined);
    assert.equal((await store.admit(request([token, account]))).blockedBy, 'rpm');
    const { uses } = await store.admit(request([token]));
    assert.equal(uses[0]?.requests?.used, 2);
  });
}

describe('rate windows in this process', () => {
  suite(() => awaited(new InProcessStore(systemClock)));

  test('forget subjects that nobody asked for lately', () => {
    let now = 1_760_000_000_000;
    const store = new InProcessStore({ now: () => now });
    for (let i = 0; i < 100; i++) {
      const one = request([subject({ rpm: 5 })]);
      store.end(ended(one, store.admit(one)));
    }
    const running = request([subject({ rpm: 5 })]);
    store.admit(running);
    assert.equal(store.size, 101);
    now += 70_000;
    store.admit(request([subject({ rpm: 5 })]));
    assert.equal(store.size, 2, 'the one that runs, and the new one');
  });
});

const redisUrl = process.env['TEST_REDIS_URL'];
const skip = redisUrl === undefined ? 'TEST_REDIS_URL is not set; npm test sets it' : false;
describe('rate windows in Redis', { skip }, () => {
  const stores: RedisStore[] = [];
  const connect = async (leaseMs?: number): Promise<RedisStore> => {
    const store = new RedisStore(redisUrl ?? '', { commandMs: 60_000, ...(leaseMs !== undefined && { leaseMs }) });
    stores.push(store);
    await waitUntil(() => store.isConnected, 'Redis does not answer');
    return store;
  };
  after(() => {
    for (const store of stores) store.close();
  });
  const ready = skip === false ? connect() : undefined;
  suite(() => ({
    admit: async (one) => (await (ready ?? connect())).admit(one),
    add: async (one, output) => (await (ready ?? connect())).add(one, output),
    end: async (end) => (await (ready ?? connect())).end(end),
  }));

  test('are shared by all processes', async () => {
    const [one, other] = await Promise.all([connect(), connect()]);
    const token = subject({ rpm: 20 });
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? one : other).admit(request([token]))),
    );
    assert.equal(verdicts.filter(({ blockedBy }) => blockedBy === undefined).length, 20);
  });

  test('a process that died frees its running requests after their lease; one that lives keeps them', async () => {
    const [dying, living] = await Promise.all([connect(2_000), connect()]);
    const token = subject({ concurrency: 2 });
    assert.equal((await dying.admit(request([token]))).blockedBy, undefined);
    assert.equal((await living.admit(request([token]))).blockedBy, undefined);
    dying.close();
    const isAdmitted = async (): Promise<boolean> => (await living.admit(request([token]))).blockedBy === undefined;
    await waitUntil(isAdmitted, 'what the dead one ran counts for ever');
    assert.equal((await living.admit(request([token]))).blockedBy, 'concurrency', 'its own is still counted');
  });
});

/** Two ends of a channel that carries what the one between processes does: JSON, later. */
function channelPair(): [RateChannel, RateChannel] {
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const side = (own: number): RateChannel => ({
    send(message) {
      const text = JSON.stringify(message);
      void setImmediate().then(() => {
        for (const listener of listeners[1 - own] ?? []) listener(JSON.parse(text));
      });
    },
    onMessage: (listener) => void listeners[own]?.push(listener),
  });
  return [side(0), side(1)];
}

/** Whatever was sent has arrived, and so have an answer to it and a word about that. */
async function carried(): Promise<void> {
  for (let step = 0; step < 3; step++) await setImmediate();
}

describe('rate windows kept by the primary of several workers', () => {
  const rates = new PrimaryRates(systemClock);
  const startWorker = (): { store: PrimaryStore; die: () => void } => {
    const [primary, worker] = channelPair();
    const die = rates.serve(primary);
    return { store: new PrimaryStore(worker), die };
  };
  suite(() => startWorker().store);

  test('are shared by the workers, and a worker that died has nothing running', async () => {
    const [one, other] = [startWorker(), startWorker()];
    const token = subject({ rpm: 20, concurrency: 15 });
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? one : other).store.admit(request([token]))),
    );
    assert.equal(verdicts.filter(({ blockedBy }) => blockedBy === undefined).length, 15);
    one.die();
    const later = await Promise.all(Array.from({ length: 60 }, () => other.store.admit(request([token]))));
    assert.equal(later.filter(({ blockedBy }) => blockedBy === undefined).length, 5, 'the rest of the minute');
  });

  test('an admission that comes too late is given back: nothing runs for ever', async (t) => {
    const [primary, worker] = channelPair();
    const late: (() => void)[] = [];
    rates.serve({ ...primary, send: (message) => void late.push(() => primary.send(message)) });
    const store = new PrimaryStore(worker);
    const token = subject({ tpm: 1_000, concurrency: 1 });
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const asked = store.admit(request([token], 100));
    await carried();
    t.mock.timers.tick(1_000);
    await assert.rejects(asked, /does not answer/);
    for (const answer of late) answer();
    await carried();
    const { blockedBy, uses } = await startWorker().store.admit(request([token], 10));
    assert.equal(blockedBy, undefined);
    assert.equal(uses[0]?.tokens?.used, 110, 'what it counted stays: the call is made all the same');
  });

  test('what a worker had asked before it died and is read only then is not admitted', async () => {
    const [primary, worker] = channelPair();
    const die = rates.serve(primary);
    const token = subject({ rpm: 20, concurrency: 1 });
    void new PrimaryStore(worker).admit(request([token])).catch(() => {});
    die();
    await carried();
    const { blockedBy, uses } = await startWorker().store.admit(request([token]));
    assert.deepEqual([blockedBy, uses[0]?.requests?.used], [undefined, 1]);
  });
});
