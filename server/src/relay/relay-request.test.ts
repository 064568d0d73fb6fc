import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyChannelKey } from '../routing/affinity.ts';
import { facts } from '../routing/testing/offered.ts';
import { principal } from '../testing/offer.ts';
import { BALANCE, makeRelayWorld } from '../testing/relay-world.ts';
import { broken, events, json } from '../testing/scripted-client.ts';
import { relayRequest } from './relay-request.ts';

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
/** 10 tokens of input at 1 and 5 of output at 2 per million. */
const CHARGE = 10n * 1_000n + 5n * 2_000n;
const choices = [{ index: 0, message: { role: 'assistant', content: 'hi there' }, finish_reason: 'stop' }];
const ANSWER = json({ id: 'x', object: 'chat.completion', created: 1, model: 'upstream-m', choices, usage });
const delta = (content: string): object => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const STREAM = events(
  delta('hi'),
  delta(' there'),
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage },
  '[DONE]',
);
const LIMITED = { key: 'live:tok', rate: { rpm: undefined, tpm: undefined, concurrency: 1 } };

test('money first: the hold is durable before the call, the charge before the answer (promises M-01, M-05)', async (t) => {
  const world = await makeRelayWorld(t, () => ANSWER);
  await relayRequest(world.dependencies, world.call());
  assert.deepEqual(world.steps, ['hold held', 'call a.example', 'end settled', 'answer 200']);
  assert.deepEqual(await world.money(), { balance: BALANCE - CHARGE, used: CHARGE, held: 0n });
  const [row] = await world.logged();
  assert.deepEqual([row?.status, row?.charge, row?.usage_source, row?.channel_id], [200, CHARGE, 'upstream', 'a']);
  assert.deepEqual(
    world.counted.map(({ charge }) => charge),
    [CHARGE],
  );
});

test('the end of a stream is held back until its charge is durable (promise M-05)', async (t) => {
  const world = await makeRelayWorld(t, () => STREAM);
  await relayRequest(world.dependencies, world.call({ stream: true }));
  assert.deepEqual(world.steps, ['hold held', 'call a.example', 'end settled', 'last event']);
  assert.ok(world.reply.text.includes(' there') && world.reply.text.endsWith('data: [DONE]\n\n'), world.reply.text);
  assert.equal((await world.money()).used, CHARGE);
});

test('an upstream that fails before the first byte costs nothing, and the next channel is asked (promise M-04)', async (t) => {
  const channels = [facts('a', { priority: 9 }), facts('b')];
  const world = await makeRelayWorld(t, (_, asked) => (asked === 1 ? json({}, 503) : ANSWER), { channels });
  await relayRequest(world.dependencies, world.call());
  assert.deepEqual(world.steps, ['hold held', 'call a.example', 'call b.example', 'end settled', 'answer 200']);
  const [row] = await world.logged();
  const attempts = JSON.parse(row?.attempts ?? '[]') as { channel_id: string; error: string | null }[];
  assert.deepEqual(
    attempts.map(({ channel_id, error }) => [channel_id, error]),
    [
      ['a', 'overloaded'],
      ['b', null],
    ],
  );
  assert.equal((await world.money()).used, CHARGE);
});

test('what the upstream refuses is released whole, and its message passed on (promise M-08)', async (t) => {
  const world = await makeRelayWorld(t, () => json({ error: { message: 'too hot', code: 'hot' } }, 422));
  await assert.rejects(relayRequest(world.dependencies, world.call()), {
    code: 'upstream_rejected',
    status: 422,
    message: 'too hot',
  });
  assert.deepEqual(world.steps, ['hold held', 'call a.example', 'end released']);
  assert.deepEqual(await world.money(), { balance: BALANCE, used: 0n, held: 0n });
  const [row] = await world.logged();
  assert.deepEqual([row?.status, row?.charge], [422, 0n]);
});

test('without money no call is made, and without a good body no hold (promise M-14)', async (t) => {
  const world = await makeRelayWorld(t, () => ANSWER, { balance: 1n });
  await assert.rejects(relayRequest(world.dependencies, world.call()), { code: 'insufficient_quota', status: 402 });
  await assert.rejects(relayRequest(world.dependencies, world.call({ messages: 7 })), { code: 'invalid_request' });
  assert.deepEqual(world.steps, ['hold balance_too_low', 'log logged', 'log logged']);
  const rows = await world.logged();
  assert.deepEqual(
    rows.map(({ status, model }) => [status, model]),
    [
      [402, 'm'],
      [400, null],
    ],
  );
});

test('a stream that breaks after its first event ends with an error and is charged for what came (promise M-09)', async (t) => {
  const world = await makeRelayWorld(t, () => broken('ECONNRESET', (STREAM.body ?? []).slice(0, 2)));
  await relayRequest(world.dependencies, world.call({ stream: true }));
  assert.equal(world.steps.at(-2), 'end settled');
  assert.match(world.reply.text, /"error"/);
  assert.ok(!world.reply.text.includes('[DONE]'), world.reply.text);
  const [row] = await world.logged();
  assert.deepEqual([row?.error_code, row?.usage_source], ['upstream_error', 'counted']);
  assert.match(row?.usage ?? '', /"output_tokens":2\b/, 'two pieces of text came');
  const { used, held } = await world.money();
  assert.deepEqual([used, held], [row?.charge, 0n]);
});

test('a client that leaves before the first byte is charged its prompt; the upstream is aborted (promise M-07)', async (t) => {
  const world = await makeRelayWorld(t, () => ({ status: 0, hangs: true }));
  const relayed = relayRequest(world.dependencies, world.call());
  while (world.client.requests.length === 0) await new Promise(setImmediate);
  world.reply.leave();
  await assert.rejects(relayed, { code: 'client_gone' });
  assert.deepEqual(world.client.aborted, ['the client left']);
  const [row] = await world.logged();
  assert.deepEqual([row?.error_code, row?.usage_source], ['client_gone', 'estimated']);
  const { used, held } = await world.money();
  assert.ok(used > 0n && held === 0n, String(used));
});

test('affinity and settlement of the call are all that differs for what upstreams keep', async (t) => {
  const world = await makeRelayWorld(t, () => ANSWER);
  const affinity = anyChannelKey();
  const deferred: unknown[] = [];
  const settlement = {
    defer: async ({ kind, channelKey, answer }: { kind: string; channelKey: unknown; answer?: Buffer | undefined }) =>
      deferred.push([kind, channelKey, answer?.toString()]) > 0,
  };
  await relayRequest(world.dependencies, world.call({}, { affinity, settlement }));
  const channelKey = { channelId: 'a', keyId: 'a-1' };
  assert.deepEqual(affinity.taken, channelKey);
  assert.deepEqual(deferred, [['settle', channelKey, ANSWER.body?.join('')]]);
  assert.deepEqual(world.steps, ['hold held', 'call a.example', 'answer 200'], 'the hold stays open');
  assert.deepEqual(world.counted, [], 'counted when it is settled');
});

test('its slots are free again however it ends: at work, of the rate policy, among live calls', async (t) => {
  const world = await makeRelayWorld(t, (_, asked) => (asked === 1 ? json({}, 400) : ANSWER));
  const before = world.dependencies.workload.capacity;
  const who = principal({ rateSubjects: [LIMITED] });
  await assert.rejects(relayRequest(world.dependencies, world.call({}, { principal: who })), {
    code: 'upstream_rejected',
  });
  await relayRequest(world.dependencies, world.call({}, { principal: who }));
  assert.equal(world.dependencies.workload.capacity, before);
  assert.equal(world.dependencies.live.size, 0);
  assert.equal(world.reply.status, 200);
});
