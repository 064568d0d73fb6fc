// Both families on the sandbox, when answers, polls and links go wrong.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { readError } from './support/chat.ts';
import { assertMoneyAddsUp, balanceOf } from './support/money.ts';
import { call, POLL_MS, submitted, taskOf, untilStatus, wrapperOf } from './support/videos.ts';
import { pause } from './support/wait.ts';
import { makeAccount, makeToken, suiteGateway, uniqueName } from './support/world.ts';

const gateway = await suiteGateway({ settings: { TOLLGATE_TASK_POLL_MS: POLL_MS } });
const [ALPHA, BETA] = ['alpha-1.1-t2v', 'beta-2-0-260128'];

async function customer(t: TestContext, model: string) {
  const account = await makeAccount(gateway, { name: uniqueName('customer'), credit: '100' });
  const { key } = await makeToken(gateway, { account_id: account.id });
  t.after(() => assertMoneyAddsUp(gateway, account.id));
  return { gateway, key, model, account };
}

const submits = (mark: string): number =>
  (gateway.running.sandbox?.records ?? []).filter(
    ({ method, body }) => method === 'POST' && JSON.stringify(body).includes(mark),
  ).length;

for (const [family, model] of [
  ['alpha', ALPHA],
  ['beta', BETA],
] as const)
  for (const directive of ['lose-answer', 'no-id']) {
    test(`${family}: a submit with ${directive} is found again and not repeated`, async (t) => {
      const world = await customer(t, model);
      const mark = uniqueName('lost');
      const id = await submitted(world, { prompt: `${mark} [[${directive}]] [[task-polls 2]]` });
      await untilStatus(world, id, 'SUCCESS', 10_000);
      assert.equal(submits(mark), 1);
    });
  }

test('two lost submits of alpha that nobody can tell apart wait, unless their owner gives them up', async (t) => {
  const world = await customer(t, ALPHA);
  const mark = uniqueName('lost');
  const lost = () => submitted(world, { prompt: `${mark} [[lose-answer]]` });
  const ids = await Promise.all([lost(), lost()]);
  await pause(400);
  for (const id of ids) {
    const { status, state, hold } = { ...(await taskOf(world, id)) };
    assert.deepEqual([status, state], ['SUBMITTED', 'SUBMIT_UNKNOWN']);
    assert.notEqual(hold, '0');
    assert.equal((await call(world, 'DELETE', `/v1/videos/${id}`)).status, 200);
  }
  assert.equal(submits(mark), 2);
  assert.equal(await balanceOf(gateway, world.account.id), '100');
});

for (const model of [ALPHA, BETA])
  for (const fault of ['limited', 'error', 'unauthorised', 'missing', 'garbage', 'bad-gateway', 'reset', 'odd-state'])
    test(`${model}: a poll that is ${fault} twice changes nothing`, async (t) => {
      const world = await customer(t, model);
      const id = await submitted(world, { prompt: `x [[poll-${fault} 2]] [[task-time 300]]` });
      await untilStatus(world, id, 'SUCCESS', 10_000);
      const { history } = await taskOf(world, id);
      assert.equal(history.filter(({ status }) => ['SUCCESS', 'FAILURE'].includes(status)).length, 1);
    });

test('a link that has expired is renewed, one that leads to a private address is not followed', async (t) => {
  const world = await customer(t, ALPHA);
  const content = (id: string) => call(world, 'GET', `/v1/videos/${id}/content`);
  const expiring = await submitted(world, { prompt: 'x [[task-polls 2]] [[link-expires 300]]' });
  const first = (await untilStatus(world, expiring, 'SUCCESS')).result_url;
  await pause(400);
  const renewed = await content(expiring);
  assert.equal(renewed.status, 200);
  assert.equal(Buffer.from(await renewed.arrayBuffer()).toString('latin1', 4, 8), 'ftyp');
  assert.notEqual((await wrapperOf(world, expiring)).result_url, first);

  const gone = await submitted(world, { prompt: 'x [[task-polls 2]] [[video-expires 0]]' });
  await untilStatus(world, gone, 'SUCCESS');
  await pause(50);
  await readError(await content(gone), 410, 'video_expired');

  const astray = await submitted(world, { prompt: 'x [[task-polls 2]] [[link-redirect]]' });
  await untilStatus(world, astray, 'SUCCESS');
  await readError(await content(astray), 502, 'upstream_error');

  const cut = await submitted(world, { prompt: 'x [[task-polls 2]] [[link-cut]]' });
  await untilStatus(world, cut, 'SUCCESS');
  await assert.rejects(content(cut).then((response) => response.arrayBuffer()));
});
