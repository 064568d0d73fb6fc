// Video tasks under quotes, idempotency keys and rate policies (contract 4-6): one key is one task, a quote of family alpha is
// its charge.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postChat } from './support/chat.ts';
import { assertMoneyAddsUp, balanceOf, ledgerOf, nano } from './support/money.ts';
import { call, POLL_MS, untilStatus } from './support/videos.ts';
import { makeAccount, makeToken, suiteGateway, uniqueName } from './support/world.ts';

const gateway = await suiteGateway({ settings: { TOLLGATE_TASK_POLL_MS: POLL_MS } });
const MODEL = 'alpha-1.1-t2v';
const body = { model: MODEL, prompt: 'a lighthouse [[task-polls 2]]', metadata: { resolution: '720P', duration: 6 } };

async function customer(rate: { rpm: number } | null = null) {
  const account = await makeAccount(gateway, { name: uniqueName('customer'), credit: '100' });
  const { key } = await makeToken(gateway, { account_id: account.id, rate });
  return { gateway, key, account };
}

const post = (world: { key: string }, text: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  call({ gateway, ...world }, 'POST', '/v1/video/generations', {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(text),
  });

test('a quote of a video is what is then held and charged', async () => {
  const world = await customer();
  const response = await postChat(world, JSON.stringify({ endpoint: '/v1/video/generations', body }), {
    path: '/v1/quote',
  });
  const quote = (await response.json()) as { amount: string; arithmetic: string; usage: unknown };
  assert.equal(response.status, 200, JSON.stringify(quote));
  assert.deepEqual([quote.amount, quote.arithmetic], ['0.84', '6 seconds x 0.14 x 1 (720P)']);
  assert.deepEqual(quote.usage, { seconds: 6, resolution: '720P' });
  assert.equal(await balanceOf(gateway, world.account.id), '100');
  const { id } = (await (await post(world, body)).json()) as { id: string };
  await untilStatus(world, id, 'SUCCESS');
  const entries = await ledgerOf(gateway, { account_id: world.account.id });
  for (const kind of ['hold', 'settle'])
    assert.equal(entries.find((entry) => entry.kind === kind)?.amount, quote.amount, kind);
  await assertMoneyAddsUp(gateway, world.account.id);
});

test('twenty submits with one key are one task and one charge (promise M-17)', async () => {
  const world = await customer();
  const key = { 'idempotency-key': 'one-video' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(world, body, key)));
  const tasks = await Promise.all(answers.map(async (answer) => (await answer.json()) as { id: string }));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const [id = ''] = new Set(tasks.map((task) => task.id));
  assert.equal(new Set(tasks.map((task) => task.id)).size, 1);
  assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 19);
  await untilStatus(world, id, 'SUCCESS');
  assert.equal(nano(await balanceOf(gateway, world.account.id)), nano('99.16'));
  assert.equal((await post(world, { ...body, prompt: 'another' }, key)).status, 422);
  await assertMoneyAddsUp(gateway, world.account.id);
});

test('submits count as requests of a rate policy, in the shape of their path and the words of spec 7', async () => {
  const world = await customer({ rpm: 1 });
  const taken = await post(world, body);
  assert.equal(taken.headers.get('x-ratelimit-remaining-requests'), '0');
  const refused = await post(world, body);
  const answer = (await refused.json()) as { code: string; data: null; error: { code: string; message: string } };
  assert.deepEqual(
    [refused.status, answer.code, answer.error.code, answer.data],
    [429, 'rate_limit_exceeded', 'rate_limit_exceeded', null],
  );
  assert.match(answer.error.message, /reduce concurrency and retry with exponential backoff/i);
  assert.ok(refused.headers.has('retry-after'));
});
