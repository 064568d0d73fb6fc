import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { InProcessStore } from '../../access/rate-limit/in-process-store.ts';
import { RateLimiter } from '../../access/rate-limit/rate-limiter.ts';
import { Ledger } from '../../billing/ledger.ts';
import { Sweeper } from '../../billing/sweeper.ts';
import { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import { openaiResponses, readResponseState } from '../../protocols/openai-responses/index.ts';
import { UpstreamClient } from '../../providers/call-upstream.ts';
import { Checkpoints } from '../checkpoints.ts';
import { Workload } from '../workload.ts';
import { Router } from '../../routing/candidates.ts';
import { catalogue, facts, secretBox } from '../../routing/testing/offered.ts';
import { IndexedSet } from '../../shared/runtime/indexed-set.ts';
import type { Store } from '../../store/store.ts';
import { addAccount, addToken } from '../../testing/fixtures.ts';
import { upstreamObjects } from '../../store/queries/upstream-objects.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { BackgroundCalls, DEADLINE_SECONDS } from './background-calls.ts';

const START = 1_760_000_000_000;
const HOLD = 1_000_000n;
const BALANCE = 5_000_000n;
const PRICE = '{"price":{"unit":"tokens","input":"1","output":"2"},"multiplier":"0.5"}';
/** 40 bytes are 10 tokens; the model's maximum is 30. */
const WHOLE = ((10n * 1_000n + 30n * 2_000n) * 5n) / 10n;

const response = (status: string, more: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ id: 'resp_1', object: 'response', status, output: [], usage: null, ...more }));
const DONE = response('completed', { usage: { input_tokens: 12, output_tokens: 7, total_tokens: 19 } });
const DONE_CHARGE = ((12n * 1_000n + 7n * 2_000n) * 5n) / 10n;

interface World {
  calls: BackgroundCalls;
  ledger: Ledger;
  /** What the upstream was asked. */
  asked: string[];
  /** What it answers; undefined: it fails. */
  answer: Buffer | undefined;
  now: number;
}

/** A call that is kept, made by a process that is gone. */
async function begin(t: TestContext, store: Store): Promise<World> {
  await addAccount(store, { id: 'acc', balance: BALANCE });
  await addToken(store, { id: 'tok', account_id: 'acc' });
  const world: Partial<World> & Pick<World, 'asked' | 'answer' | 'now'> = { asked: [], answer: undefined, now: START };
  const server = createServer((request, reply) => {
    world.asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    reply.writeHead(world.answer === undefined ? 500 : 200, { 'content-type': 'application/json' });
    reply.end(world.answer ?? '{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new UpstreamClient();
  t.after(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  const clock = { now: () => world.now };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const ledger = new Ledger({ store, clock, owner: 'gone' });
  const calls = new BackgroundCalls({
    store,
    relay: {
      catalogue: await LiveCatalogue.open(async () => catalogue(facts('other'), facts('ch', { baseUrl }))),
      router: new Router({ clock, secretBox }),
      limiter: new RateLimiter({ store: new InProcessStore(clock), clock }),
      ledger,
      checkpoints: new Checkpoints(ledger),
      client,
      clock,
      objects: upstreamObjects(store, clock),
      metrics: { ended: () => {} },
      live: new IndexedSet(),
      workload: new Workload(),
    },
    kinds: [{ protocol: openaiResponses, readState: readResponseState }],
    onError: (error) => assert.fail(String(error)),
  });
  await ledger.hold({
    requestId: 'req',
    accountId: 'acc',
    tokenId: 'tok',
    mode: 'live',
    amount: HOLD,
    price: PRICE,
    lifetime: 1,
  });
  const request = {
    id: 'req',
    account_id: 'acc',
    token_id: 'tok',
    group_name: 'vip',
    endpoint: '/v1/responses',
    model: 'm',
    channel_id: 'ch',
    status: 200,
    error_code: null,
    attempts: '[]',
    first_byte_ms: 1,
    total_ms: 2,
    mode: 'live',
    created_at: START / 1000,
  } as const;
  const size = { maxOutputTokens: undefined, choices: 1, inputBytes: 40, mediaCount: 0 };
  const bill = { request, size, maxOutputTokens: 30 };
  const channelKey = { channelId: 'ch', keyId: 'ch-1' };
  assert.equal(await calls.keep({ accountId: 'acc', upstreamId: 'resp_1', ...channelKey, bill }), true);
  return Object.assign(world, { calls, ledger });
}

/** [free balance, used, held, open holds, calls that wait] */
async function moneyOf({ reads }: Store): Promise<[bigint, bigint, bigint, number, number]> {
  const { balance } = await reads.selectFrom('accounts').select('balance').executeTakeFirstOrThrow();
  const { used, held } = await reads.selectFrom('tokens').select(['used', 'held']).executeTakeFirstOrThrow();
  const open = await reads.selectFrom('holds').select('id').execute();
  const waiting = await reads.selectFrom('background_calls').select('hold_id').execute();
  return [balance, used, held, open.length, waiting.length];
}

const charged = (charge: bigint): Awaited<ReturnType<typeof moneyOf>> => [BALANCE - charge, charge, 0n, 0, 0];
const WAITING = [BALANCE - HOLD, 0n, HOLD, 1, 1];

onEveryStore((open) => {
  test('the first that sees the end settles by the usage it tells, and nobody after it changes that', async (t) => {
    const store = await open();
    const { calls } = await begin(t, store);
    await calls.settle('acc', 'resp_1', response('queued'));
    await calls.settle('other', 'resp_1', DONE);
    await calls.settle('acc', 'resp_2', DONE);
    await calls.settle('acc', 'resp_1', Buffer.from('<html>'));
    assert.deepEqual(await moneyOf(store), WAITING);
    const dearer = response('completed', { usage: { input_tokens: 1, output_tokens: 20 } });
    await Promise.all([calls.settle('acc', 'resp_1', DONE), calls.settle('acc', 'resp_1', DONE)]);
    await calls.settle('acc', 'resp_1', dearer);
    await calls.giveUp('acc', 'resp_1');
    assert.deepEqual(await moneyOf(store), charged(DONE_CHARGE));
    const [row, ...others] = await store.reads.selectFrom('requests').selectAll().execute();
    assert.equal(others.length, 0);
    assert.deepEqual([row?.charge, row?.usage_source, row?.model], [DONE_CHARGE, 'upstream', 'm']);
    assert.equal(row?.usage, '{"input_tokens":12,"output_tokens":7}');
    assert.equal(row.arithmetic, '(12 input x 1 + 7 output x 2) / 1000000 x 0.5 (group vip)');
  });

  test('when nobody looks the gateway asks by itself, with the key that made it, and less and less often', async (t) => {
    const store = await open();
    const world = await begin(t, store);
    world.answer = response('in_progress');
    await world.calls.round();
    assert.equal(world.asked.length, 0);
    for (let second = 0; second < 60; second++) {
      world.now += 1_000;
      await world.calls.round();
    }
    assert.ok(world.asked.length >= 3 && world.asked.length <= 10, String(world.asked.length));
    assert.equal(world.asked[0], 'GET /v1/responses/resp_1 Bearer secret of ch-1');
    assert.deepEqual(await moneyOf(store), WAITING);
    world.answer = DONE;
    world.now += 60_000;
    await world.calls.round();
    assert.deepEqual(await moneyOf(store), charged(DONE_CHARGE));
  });

  test('the hold outlives its process, and without any answer all is charged at the deadline, as an estimate', async (t) => {
    const store = await open();
    const world = await begin(t, store);
    const onError = (error: unknown): void => assert.fail(String(error));
    assert.equal(await new Sweeper({ store, processId: 'me', onError, onSwept: () => {} }).sweep(), 0);
    world.now = START + 1000 * (DEADLINE_SECONDS - 1);
    await world.calls.round();
    assert.deepEqual(await moneyOf(store), WAITING);
    world.now += 1_000;
    await world.calls.round();
    assert.equal(world.asked.length, 2);
    assert.deepEqual(await moneyOf(store), charged(WHOLE));
    const row = await store.reads.selectFrom('requests').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([row.charge, row.usage_source], [WHOLE, 'estimated']);
  });

  test('what failed, or was cancelled before it made anything, costs nothing', async (t) => {
    for (const end of [response('failed', { error: { code: 'server_error', message: 'no' } }), response('cancelled')]) {
      const store = await open();
      const { calls } = await begin(t, store);
      await calls.settle('acc', 'resp_1', end);
      assert.deepEqual(await moneyOf(store), charged(0n));
      const row = await store.reads.selectFrom('requests').selectAll().executeTakeFirstOrThrow();
      assert.deepEqual([row.charge, row.usage_source], [0n, null]);
    }
  });

  test('usage is believed as far as the request allowed it (promise M-10)', async (t) => {
    const store = await open();
    const { calls } = await begin(t, store);
    await calls.settle('acc', 'resp_1', response('completed', { usage: { input_tokens: -5, output_tokens: 1e18 } }));
    const [, used] = await moneyOf(store);
    assert.ok(used <= WHOLE, String(used));
    const row = await store.reads.selectFrom('requests').selectAll().executeTakeFirstOrThrow();
    assert.equal(row.usage_source, 'bounded');
  });

  test('a call whose hold somebody else ended is forgotten', async (t) => {
    const store = await open();
    const world = await begin(t, store);
    const at = START / 1000;
    const release = { kind: 'end', charge: null, usageSource: null, at, note: null, request: null } as const;
    await store.commit({ ...release, holdId: 'req' });
    world.now += 5_000;
    await world.calls.round();
    assert.deepEqual([await moneyOf(store), world.asked], [charged(0n), []]);
  });
});
