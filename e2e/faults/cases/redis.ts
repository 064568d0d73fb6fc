// Redis gone, slow, flushed or talking rubbish (FT-06): money does not notice, limits go on per process and say so
// (docs/limits.md), and are shared again soon after it is well.
import assert from 'node:assert/strict';
import { waitUntil } from '../../support/wait.ts';
import { type Bench, BOTH, type Fault } from '../command/fault.ts';
import { readMetric, readReadiness } from '../rig/records/gateway-facts.ts';
import { addLimited, countAdmitted } from '../rig/clients/limited-calls.ts';
import type { OwnRedis } from '../rig/own-redis.ts';
import type { Rig } from '../rig/rig.ts';

const LIMIT = 30;
/** Admitted through each of the two gateways while Redis is well. */
const BEFORE = 10;
const HEALED_WITHIN_MS = 5_000;
/** Redis gets 250 ms to answer; the rest is what a busy machine adds. */
const MOST_DELAY_MS = 5_000;

interface Break {
  name: string;
  begin(redis: OwnRedis): unknown;
  heal(redis: OwnRedis): unknown;
}

const rubbish = (name: string, bytes: string | Buffer): Break => ({
  name: `answers ${name}`,
  begin: ({ proxy }) => proxy.answerWith(Buffer.from(bytes)),
  heal: ({ proxy }) => proxy.heal(),
});

const AWAY: readonly Break[] = [
  { name: 'gone', begin: (redis) => redis.kill(), heal: (redis) => redis.startAgain() },
  { name: 'stopped', begin: (redis) => redis.freeze(), heal: (redis) => redis.thaw() },
  { name: 'silent', begin: ({ proxy }) => proxy.silence(), heal: ({ proxy }) => proxy.heal() },
  { name: 'refusing', begin: ({ proxy }) => proxy.refuse(), heal: ({ proxy }) => proxy.heal() },
  rubbish('another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n'),
  rubbish('bytes', Buffer.from([0, 255, 128, 13, 10, 36, 45])),
  rubbish('OK to everything', '+OK\r\n'),
  rubbish('numbers that mean nothing', '*2\r\n:1\r\n:5\r\n'),
  rubbish('errors', '-LOADING Redis is loading the dataset in memory\r\n'),
];

const callMany = (rig: Rig, key: string, { gateway, calls }: { gateway: number; calls: number }) =>
  Promise.all(Array.from({ length: calls }, (_, index) => rig.call({ key, gateway, stream: index % 2 === 0 })));

/** Over both gateways at once. */
async function admittedTogether(rig: Rig, key: string, callsEach: number): Promise<number> {
  const entries = await Promise.all([0, 1].map((gateway) => callMany(rig, key, { gateway, calls: callsEach })));
  return countAdmitted(entries.flat());
}

async function untilAway(rig: Rig, isAway: boolean, otherwise: string): Promise<void> {
  for (const { address } of rig.gateways)
    await waitUntil(async () => (await readMetric(address, 'tollgate_rate_store_away')) === Number(isAway), otherwise);
  for (const { address } of rig.gateways) {
    const { status, rateLimits } = await readReadiness(address);
    assert.equal(status, 200, 'limits per process are no reason to be taken out');
    assert.equal(rateLimits?.startsWith('per process') ?? false, isAway, `readyz says ${rateLimits}`);
  }
}

async function breakOnce(rig: Rig, redis: OwnRedis, { name, begin, heal }: Break): Promise<number> {
  const key = await addLimited(rig, { rpm: LIMIT });
  assert.equal(await admittedTogether(rig, key, BEFORE), 2 * BEFORE, `before Redis is ${name}`);
  await begin(redis);
  for (const gateway of [0, 1]) {
    // Each goes on with what it has admitted itself.
    const entries = await callMany(rig, key, { gateway, calls: LIMIT });
    assert.equal(countAdmitted(entries), LIMIT - BEFORE, `gateway ${gateway} while Redis is ${name}`);
    const slowest = Math.max(...entries.map(({ milliseconds }) => milliseconds));
    assert.ok(slowest < MOST_DELAY_MS, `a call took ${slowest} ms while Redis is ${name}`);
    assert.equal((await rig.call({ gateway })).status, 200, 'a token without limits');
  }
  await untilAway(rig, true, `it is not said that Redis is ${name}`);
  await heal(redis);
  const healedAt = performance.now();
  await untilAway(rig, false, `Redis is well and not noticed after ${name}`);
  const healedMs = performance.now() - healedAt;
  assert.ok(healedMs < HEALED_WITHIN_MS, `noticed only after ${Math.round(healedMs)} ms`);
  const fresh = await addLimited(rig, { rpm: LIMIT });
  assert.equal(await admittedTogether(rig, fresh, LIMIT), LIMIT, `shared again after ${name}`);
  return healedMs;
}

/** What a flush forgets, the windows have forgotten: they start again, and are shared all the while. */
async function flushOnce(rig: Rig, redis: OwnRedis): Promise<void> {
  const key = await addLimited(rig, { rpm: LIMIT });
  assert.equal(await admittedTogether(rig, key, LIMIT), LIMIT);
  await redis.empty();
  assert.equal(await admittedTogether(rig, key, LIMIT), LIMIT, 'after a flush');
  await untilAway(rig, false, 'a flush is no outage');
}

async function run(bench: Bench) {
  const rig = await bench.startRig({ gateways: 2, redis: true });
  const { redis } = rig;
  assert.ok(redis !== undefined);
  let slowest = 0;
  for (let round = 0; round < bench.rounds; round++) {
    for (const one of AWAY) slowest = Math.max(slowest, await breakOnce(rig, redis, one));
    await flushOnce(rig, redis);
  }
  bench.note(
    `${AWAY.map(({ name }) => name).join(', ')}: ${LIMIT} a minute per process; shared again at most ${Math.round(slowest)} ms after healing`,
  );
  return rig.reconcile();
}

export const brokenRedis: Fault = {
  id: 'FT-06',
  title: 'Redis gone, slow, flushed, answering rubbish',
  stores: BOTH,
  rounds: 1,
  fullRounds: 5,
  run,
};
