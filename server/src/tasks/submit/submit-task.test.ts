import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import type { ChannelFacts } from '../../catalogue/catalogue.ts';
import { Router } from '../../routing/candidates.ts';
import { facts, secretBox } from '../../routing/testing/offered.ts';
import { findTask, type TaskRow } from '../../store/queries/tasks.ts';
import type { Store } from '../../store/store.ts';
import { model, offer, principal } from '../../testing/offer.ts';
import { RecordedReply } from '../../testing/recorded-reply.ts';
import { bodyOf, broken, json, type Script, ScriptedClient } from '../../testing/scripted-client.ts';
import { openSqlite } from '../../testing/sqlite-store.ts';
import { makeTaskDependencies } from '../../testing/task-dependencies.ts';
import { videoRequestOf } from '../../testing/video-request.ts';
import { type SubmitCall, submitTask } from './submit-task.ts';

/** 1 nano-unit a token, so that every video can be paid for. */
const price = { unit: 'video_tokens', generate: '0.001', video_input: '0.001' };
const video = (id: string, more: Partial<ChannelFacts> = {}): ChannelFacts =>
  facts(id, { provider: 'beta-video', models: new Map([['m', `up-${id}`]]), ...more });
const TAKEN = json({ id: 'cgt-1' });
const REFUSED = json({ error: { code: 'InvalidParameter', message: 'too long' } }, 400);
const BUSY = json({ error: { code: 'Busy', message: 'busy' } }, 503);

async function prepare(t: TestContext, script: Script, channels = [video('a', { priority: 9 }), video('b')]) {
  const store = await openSqlite(t);
  const own = await makeTaskDependencies(store, 'http://nobody.example');
  t.after(() => own.end());
  const steps: string[] = [];
  const commit: Store['commit'] = async (operation) => {
    const result = await store.commit(operation);
    const task = operation.kind === 'hold' ? operation.task : operation.kind === 'move' ? operation.row : undefined;
    steps.push([operation.kind, task?.state, result].filter((word) => word !== undefined).join(' '));
    return result;
  };
  const client = new ScriptedClient((request, asked) => {
    steps.push(`call ${new URL(request.origin).hostname}`);
    return script(request, asked);
  });
  const dependencies = {
    ...own,
    store: { ...store, commit },
    client,
    catalogue: await LiveCatalogue.open(async () => offer(model({ price }), ...channels)),
    router: new Router({ clock: own.clock, secretBox, random: () => 0 }),
  };
  const call = (more: Partial<SubmitCall> = {}): SubmitCall => ({
    requestId: 'req_1',
    endpoint: '/v1/videos',
    principal: principal(),
    startedAt: performance.now(),
    strict: false,
    reply: new RecordedReply(),
    read: () => ({ request: videoRequestOf({ model: 'm' }), webhookUrl: undefined }),
    ...more,
  });
  const held = async (): Promise<bigint> =>
    (await store.reads.selectFrom('tokens').select('held').executeTakeFirstOrThrow()).held;
  const logged = () => store.reads.selectFrom('requests').selectAll().executeTakeFirst();
  const stored = async ({ id }: Pick<TaskRow, 'id'>) => (await findTask(store.reads, id)) ?? assert.fail('no task');
  return { store, dependencies, client, steps, call, held, logged, stored };
}

test('row and hold, then the channel, are durable before the call, and the id before the answer (promises M-01, V-01)', async (t) => {
  const { dependencies, client, steps, call, held, logged, stored } = await prepare(t, () => TAKEN);
  const task = await submitTask(dependencies, call());
  assert.deepEqual(steps, ['hold CREATED held', 'move SUBMITTING moved', 'call a.example', 'move SUBMITTED moved']);
  const row = await stored(task);
  assert.deepEqual([row.state, row.upstream_id, row.channel_id, row.key_id], ['SUBMITTED', 'cgt-1', 'a', 'a-1']);
  assert.equal(await held(), row.hold);
  assert.ok(row.hold > 0n && row.lease_owner === null);
  assert.equal((await logged())?.status, 200);
  const [request] = client.requests;
  assert.equal(request && bodyOf(request)['model'], 'up-a');
});

test('a channel that surely did not take it is followed by the next (promise V-05)', async (t) => {
  const { dependencies, steps, call, stored } = await prepare(t, (_, asked) => (asked === 1 ? BUSY : TAKEN));
  const task = await submitTask(dependencies, call());
  assert.deepEqual(
    steps.filter((step) => step.startsWith('call')),
    ['call a.example', 'call b.example'],
  );
  const { channel_id, upstream_model } = await stored(task);
  assert.deepEqual([channel_id, upstream_model], ['b', 'up-b']);
});

test('after a lost answer it is never sent again: the task stays, its submit unknown (promise V-05)', async (t) => {
  const { dependencies, client, call, held, stored } = await prepare(t, () => broken('ECONNRESET'));
  const task = await submitTask(dependencies, call());
  assert.equal(client.requests.length, 1);
  const { state, hold, upstream_id } = await stored(task);
  assert.deepEqual([state, upstream_id, await held()], ['SUBMIT_UNKNOWN', null, hold]);
});

test('what the provider refuses is released and hidden, and its reason given (promise M-14)', async (t) => {
  const { store, dependencies, client, call, held, logged } = await prepare(t, () => REFUSED);
  await assert.rejects(submitTask(dependencies, call()), {
    code: 'upstream_rejected',
    status: 400,
    message: 'too long',
  });
  assert.equal(client.requests.length, 1);
  assert.equal(await held(), 0n);
  const row = await store.reads.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual([row.state, row.deleted_at !== null, row.charge], ['FAILURE', true, 0n]);
  assert.equal((await logged())?.status, 400);
});

test('a bad request, a model that makes no videos and too little money reach no provider (promise M-14)', async (t) => {
  const { store, dependencies, client, call, held } = await prepare(t, () => TAKEN);
  const of = (more: Partial<ReturnType<typeof videoRequestOf>>): Partial<SubmitCall> => ({
    read: () => ({ request: videoRequestOf({ model: 'm', ...more }), webhookUrl: undefined }),
  });
  await assert.rejects(submitTask(dependencies, call(of({ size: 'a\u0000b' }))), { code: 'invalid_request' });
  await assert.rejects(submitTask(dependencies, call(of({ model: 'none' }))), { code: 'model_not_found' });
  await assert.rejects(submitTask(dependencies, call({ ...of({}), principal: principal({ tokenModels: [] }) })), {
    code: 'model_not_allowed',
  });
  await store.transaction((transaction) => transaction.updateTable('tokens').set({ quota: 0n }).execute());
  await assert.rejects(submitTask(dependencies, call()), { code: 'insufficient_quota', status: 402 });
  assert.deepEqual([client.requests.length, await held()], [0, 0n]);
  assert.equal((await store.reads.selectFrom('tasks').select('id').execute()).length, 0);
});

test('a request that made its task before its process died is answered with it, of its own account only (promise M-17)', async (t) => {
  const { dependencies, client, call } = await prepare(t, () => TAKEN);
  const first = await submitTask(dependencies, call());
  const again = await submitTask(dependencies, call({ madeTask: first.id }));
  assert.deepEqual([again.id, client.requests.length], [first.id, 1]);
  const other = principal({ accountId: 'other', tokenModels: [] });
  await assert.rejects(submitTask(dependencies, call({ madeTask: first.id, principal: other })), {
    code: 'model_not_allowed',
  });
});
