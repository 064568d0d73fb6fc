// Rate windows shared by two gateways through Redis (promise B-10), and what happens when Redis is away (FT-06).
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startRedis } from '../scripts/redis.mjs';
import { chat, readAnswer, readError } from './support/chat.ts';
import { NO_DATABASE_SERVER, startTestGateway, type TestGateway } from './support/gateway.ts';
import { waitUntil } from './support/wait.ts';
import { makeWorld, type World } from './support/world.ts';

const noRedis = process.env['TEST_REDIS_URL'] === undefined ? 'no Redis can be had here' : false;
const skip = NO_DATABASE_SERVER || noRedis;

async function outcomes(world: World, gateways: TestGateway[], calls: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  await Promise.all(
    Array.from({ length: calls }, async (_, index) => {
      const gateway = gateways[index % gateways.length];
      assert.ok(gateway);
      const response = await chat(world, 'hi', {}, { address: gateway.address });
      await response.text();
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
    }),
  );
  return counts;
}

const readyz = async ({ address }: TestGateway) => {
  const response = await fetch(`${address}/readyz`);
  return { status: response.status, body: (await response.json()) as Record<string, string> };
};
const metric = async ({ address }: TestGateway): Promise<string | undefined> =>
  /^tollgate_rate_store_away (\d)$/m.exec(await (await fetch(`${address}/metrics`)).text())?.[1];

describe('two gateways on one database and one Redis', { skip }, () => {
  const endings: (() => Promise<void>)[] = []; // after the checks of the books
  after(async () => {
    for (const end of endings) await end();
  });

  test('share every limit, keep it through a restart, and go on alone while Redis is away', async (t) => {
    let redis = await startRedis();
    assert.ok(redis);
    const settings = { REDIS_URL: redis.url };
    const first = await startTestGateway({ postgres: true, settings });
    const databaseUrl = first.databaseUrl ?? '';
    const upstream = { upstream: first.upstream };
    let second = await startTestGateway({ databaseUrl, settings, ...upstream });
    endings.push(async () => {
      await second.stop();
      await first.stop();
      await redis?.stop();
    });

    const world = await makeWorld(first, t, { token: { rate: { rpm: 40 } } });
    await waitUntil(async () => (await chat(world, 'hi', {}, second)).status === 200, 'the second does not know it');
    const counts = await outcomes(world, [first, second], 99);
    assert.equal(counts.get(200), 39, 'one was used before');
    assert.equal(counts.get(429), 60);

    await second.stop();
    second = await startTestGateway({ databaseUrl, settings, ...upstream });
    await readError(await chat(world, 'hi', {}, second), 429, 'rate_limit_exceeded');

    const other = await makeWorld(first, t, { token: { rate: { rpm: 10, concurrency: 5 } } });
    await waitUntil(async () => (await chat(other, 'hi', {}, second)).status === 200, 'the second does not know it');
    for (let i = 0; i < 3; i++) await readAnswer(await chat(other, 'hi'));
    assert.deepEqual(await readyz(first), { status: 200, body: { status: 'ready' } });
    await redis.stop();
    await waitUntil(async () => (await metric(first)) === '1', 'the metric does not say that Redis is away');
    const { status, body } = await readyz(first);
    assert.equal(status, 200);
    assert.match(body['rate_limits'] ?? '', /^per process/);
    for (let i = 0; i < 7; i++) await readAnswer(await chat(other, 'hi'));
    await readError(await chat(other, 'hi'), 429, 'rate_limit_exceeded');
    await readAnswer(await chat(other, 'the other one counts for itself', {}, second));

    redis = await startRedis({ port: redis.port });
    await waitUntil(async () => (await metric(first)) === '0', 'Redis is not noticed again');
    assert.deepEqual((await readyz(first)).body, { status: 'ready' });
    await readAnswer(await chat(other, 'shared again'));
  });

  test('a Redis that hangs delays a request a little, and only the first', async (t) => {
    const redis = await startRedis();
    assert.ok(redis);
    const gateway = await startTestGateway({ settings: { REDIS_URL: redis.url } });
    endings.push(async () => {
      process.kill(redis.pid, 'SIGCONT');
      await gateway.stop();
      await redis.stop();
    });
    const world = await makeWorld(gateway, t, { token: { rate: { rpm: 100 } } });
    await readAnswer(await chat(world, 'hi'));
    process.kill(redis.pid, 'SIGSTOP');
    await readAnswer(await chat(world, 'hi'));
    assert.equal(await metric(gateway), '1', 'it is not asked any more');
    for (let i = 0; i < 5; i++) await readAnswer(await chat(world, 'hi'));
    process.kill(redis.pid, 'SIGCONT');
    await waitUntil(async () => (await metric(gateway)) === '0', 'Redis is not noticed again');
  });
});
