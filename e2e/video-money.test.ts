// What videos of both families cost, through the whole gateway: the ledger's lines and the arithmetic in the request log.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Channel } from '#contract/channels.ts';
import { assertMoneyAddsUp, balanceOf, ledgerOf, nano, requestOf } from './support/money.ts';
import { call, POLL_MS, submit, taskOf, untilStatus } from './support/videos.ts';
import { makeAccount, makeChannel, makeToken, suiteGateway, uniqueName } from './support/world.ts';

const gateway = await suiteGateway({ settings: { TOLLGATE_TASK_POLL_MS: POLL_MS } });

/** The models of the built-in sandbox: alpha 0.14 a second, 1.78 times that at 1080P; beta 7 and 4.3 a million tokens. */
async function customer(t: TestContext, model: string) {
  const account = await makeAccount(gateway, { name: uniqueName('customer'), credit: '100' });
  const { key } = await makeToken(gateway, { account_id: account.id });
  t.after(() => assertMoneyAddsUp(gateway, account.id));
  return { gateway, key, model, account };
}

const video = { type: 'video', url: 'https://media.example/source.mp4' };
const clip = { type: 'video_url', video_url: { url: 'https://media.example/clip.mp4' } };
const quick = 'a lighthouse [[task-polls 2]]';

const table: { name: string; model: string; body: Record<string, unknown>; charge: string; arithmetic: string }[] = [
  {
    name: 'alpha at 720P',
    model: 'alpha-1.1-t2v',
    body: { metadata: { resolution: '720P', duration: 6 } },
    charge: '0.84',
    arithmetic: '6 seconds x 0.14 x 1 (720P)',
  },
  {
    name: 'alpha at 1080P, which is its default',
    model: 'alpha-1.0-t2v',
    body: { seconds: '5' },
    charge: '1.246',
    arithmetic: '5 seconds x 0.14 x 1.78 (1080P)',
  },
  {
    name: 'alpha video-edit with declared seconds',
    model: 'alpha-1.0-video-edit',
    body: { metadata: { media: [video], resolution: '720P', duration: 7 } },
    charge: '0.98',
    arithmetic: '7 seconds x 0.14 x 1 (720P)',
  },
  {
    name: 'alpha video-edit without',
    model: 'alpha-1.0-video-edit',
    body: { metadata: { media: [video], resolution: '720P' } },
    charge: '1.4',
    arithmetic: '10 seconds x 0.14 x 1 (720P)',
  },
];

for (const { name, model, body, charge, arithmetic } of table) {
  test(`${name}: ${arithmetic}`, async (t) => {
    const world = await customer(t, model);
    const response = await submit(world, { prompt: quick, ...body });
    const { id } = (await response.json()) as { id: string };
    await untilStatus(world, id, 'SUCCESS');
    const logged = await requestOf(gateway, response);
    assert.deepEqual([logged.charge, logged.arithmetic], [charge, arithmetic]);
    const lines = await ledgerOf(gateway, { task_id: id });
    const settled = lines.find(({ kind }) => kind === 'settle');
    assert.deepEqual([settled?.amount, settled?.task_id], [charge, id]);
    assert.equal(nano(await balanceOf(gateway, world.account.id)), nano('100') - nano(charge));
  });
}

/** A model of its own over the sandbox's channel of family alpha. */
async function priced(t: TestContext, price: Record<string, unknown>) {
  const model = uniqueName('alpha-1.1-t2v');
  await gateway.operator('PUT', `/models/${model}`, { price });
  const { data } = await gateway.operator<{ data: Channel[] }>('GET', '/channels?limit=200');
  const base_url = data.find(({ provider }) => provider === 'alpha')?.base_url ?? '';
  await makeChannel(gateway, { [model]: 'happyhorse-1.1-t2v' }, { provider: 'alpha', base_url, keys: ['sandbox'] });
  return customer(t, model);
}

for (const [name, price, prompt, held, charge, arithmetic, source] of [
  [
    'factors that match what was sent',
    { unit: 'second', amount: '0.1', factors: { 'watermark:on': '1.5', 'watermark:off': '9' } },
    quick,
    '0.75',
    '0.75',
    '5 seconds x 0.1 x 1 (1080P) x 1.5 (watermark:on)',
    'upstream',
  ],
  [
    'what the vendor reports',
    { unit: 'reported', amount: '0.02', hold: '3' },
    quick,
    '3',
    '0.1',
    '5 seconds x 0.02',
    'upstream',
  ],
  [
    'what was held, where the vendor reports nothing',
    { unit: 'reported', amount: '0.02', hold: '3' },
    `${quick} [[no-usage]]`,
    '3',
    '3',
    '3 as held',
    'estimated',
  ],
] as const)
  test(`a price by ${name} (contract-2 9)`, async (t) => {
    const world = await priced(t, price);
    const response = await submit(world, { prompt, metadata: { duration: 5, watermark: true } });
    const { id } = (await response.json()) as { id: string };
    await untilStatus(world, id, 'SUCCESS');
    const { charge: charged, arithmetic: words, usage_source } = await requestOf(gateway, response);
    assert.deepEqual([charged, words, usage_source], [charge, arithmetic, source]);
    const lines = await ledgerOf(gateway, { task_id: id });
    assert.equal(lines.find(({ kind }) => kind === 'hold')?.amount, held);
  });

for (const [tier, shown, perToken, content] of [
  ['generate', '7', 7_000n, undefined],
  ['video_input', '4.3', 4_300n, [clip]],
] as const) {
  test(`beta at the price of ${tier}: the tokens that the finished task tells`, async (t) => {
    const world = await customer(t, 'beta-2-0-260128');
    const metadata = { resolution: '480p', duration: 4, ...(content !== undefined && { content }) };
    const response = await submit(world, { prompt: quick, metadata });
    const { id } = (await response.json()) as { id: string };
    await untilStatus(world, id, 'SUCCESS');
    const logged = await requestOf(gateway, response);
    const tokens = Number(logged.usage?.['output_tokens']);
    assert.ok(tokens > 10_000, `${tokens} tokens`);
    assert.equal(logged.arithmetic, `${tokens} tokens x ${shown} (${tier}) / 1000000`);
    assert.equal(nano(logged.charge), BigInt(tokens) * perToken);
    assert.equal(logged.usage_source, 'upstream');
  });
}

test('a price that an operator changes meanwhile does not touch what was submitted (promise M-13)', async (t) => {
  const world = await customer(t, 'alpha-1.1-t2v');
  const response = await submit(world, {
    prompt: 'slow [[task-time 700]]',
    metadata: { resolution: '720P', duration: 3 },
  });
  const { id } = (await response.json()) as { id: string };
  const before = await gateway.operator<object>('GET', '/models/alpha-1.1-t2v');
  await gateway.operator('PUT', '/models/alpha-1.1-t2v', { price: { unit: 'second', amount: '99', resolution: {} } });
  t.after(() => gateway.operator('PUT', '/models/alpha-1.1-t2v', { price: (before as { price: unknown }).price }));
  await untilStatus(world, id, 'SUCCESS');
  assert.equal((await requestOf(gateway, response)).charge, '0.42');
});

for (const [name, directive, reason] of [
  ['fails', 'task-blocked', /./],
  ['expires', 'task-expires', /./],
] as const) {
  test(`a task that ${name} costs nothing`, async (t) => {
    const world = await customer(t, 'beta-1-5-pro-251215');
    const response = await submit(world, { prompt: `x [[${directive}]] [[task-polls 2]]` });
    const { id } = (await response.json()) as { id: string };
    assert.match((await untilStatus(world, id, 'FAILURE')).fail_reason, reason);
    assert.equal(await balanceOf(gateway, world.account.id), '100');
    const kinds = (await ledgerOf(gateway, { task_id: id })).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['hold', 'release']);
    assert.equal((await requestOf(gateway, response)).charge, '0');
  });
}

test('a task that is cancelled costs nothing, and is cancelled where it was submitted', async (t) => {
  const world = await customer(t, 'alpha-1.1-t2v');
  const response = await submit(world, { prompt: 'x [[task-queued]]' });
  const { id } = (await response.json()) as { id: string };
  const { upstream_id } = await taskOf(world, id);
  assert.equal((await call(world, 'DELETE', `/v1/videos/${id}`)).status, 200);
  assert.equal(await balanceOf(gateway, world.account.id), '100');
  const upstream = gateway.running.sandbox?.tasks().find((task) => task.id === upstream_id);
  assert.match(JSON.stringify(upstream), /cancel/i);
});
