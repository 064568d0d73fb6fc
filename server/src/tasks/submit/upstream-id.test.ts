import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { findRequest } from '../../store/queries/requests.ts';
import { claimTasks } from '../../store/queries/claim-tasks.ts';
import { findTask } from '../../store/queries/tasks.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { requestRow } from '../../testing/task-rows.ts';
import { makeTaskWorld, OWNER, says } from '../../testing/task-world.ts';
import { pollTask } from '../poll/poll-task.ts';
import { removeTask } from '../remove-task.ts';
import { keepUpstreamId, readUpstreamId } from './upstream-id.ts';
import { alphaVideo } from '../../providers/alpha-video/provider.ts';
import { betaVideo } from '../../providers/beta-video/provider.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import type { VideoProvider } from '../../providers/video-provider.ts';
import { certainlyNotAccepted } from '../../providers/upstream-error.ts';

const never = new AbortController().signal;

onEveryStore((open) => {
  async function prepare(t: TestContext) {
    const world = await makeTaskWorld(t, await open(), { now: says(200, { items: [] }) });
    const { dependencies } = world;
    const task = await world.add('task_1', { state: 'SUBMITTING', upstream_id: null, lease_owner: 'proc_silent' });
    const [claimed] = await claimTasks(dependencies.store, {
      owner: 'proc_b',
      dueAt: dependencies.clock.ms,
      now: await dependencies.store.now(),
      leaseSeconds: 120,
      silence: 10,
      capacity: new Map(),
      capacityPerChannel: 9,
      limit: 9,
    });
    assert.ok(claimed !== undefined, 'the process that submits was silent for too long');
    const request = requestRow(task.request_id);
    const keep = async () => {
      const read = await findTask(dependencies.store.reads, 'task_1');
      return keepUpstreamId(dependencies, read, { upstreamId: 'cgt-1', handle: null, request });
    };
    return { ...world, claimed, keep };
  }

  test('an answer that came late is kept, also while and after others looked for the task', async (t) => {
    const { dependencies, claimed, keep, stored } = await prepare(t);
    const late = await keep();
    assert.deepEqual([late?.state, late?.upstream_id], ['SUBMITTED', 'cgt-1']);
    await pollTask(dependencies, claimed, never);
    assert.deepEqual((await stored('task_1')).upstream_id, 'cgt-1', 'who looked meanwhile writes nothing');
    assert.equal((await findRequest(dependencies.store.reads, 'req_task_1'))?.status, 200);
    assert.equal((await keep())?.version, late?.version, 'once');
  });

  test('one that was called lost already goes on', async (t) => {
    const { dependencies, claimed, keep, stored } = await prepare(t);
    await pollTask(dependencies, claimed, never);
    assert.equal((await stored('task_1')).state, 'SUBMIT_UNKNOWN');
    assert.equal((await keep())?.state, 'SUBMITTED');
  });

  test('one that its owner removed stays removed', async (t) => {
    const { dependencies, keep } = await prepare(t);
    await removeTask(dependencies, OWNER, 'task_1');
    const row = await keep();
    assert.deepEqual([row?.state, row?.upstream_id], ['FAILURE', null]);
  });
});

const [alpha, beta] = [alphaVideo.video as VideoProvider, betaVideo.video as VideoProvider];

function outcome(video: VideoProvider, answer: unknown): unknown[] {
  try {
    return [readUpstreamId(video, Buffer.from(JSON.stringify(answer)), { status: 200 })];
  } catch (error) {
    assert.ok(error instanceof UpstreamError);
    return [error.errorClass, error.facts.status, certainlyNotAccepted(error)];
  }
}

test('an answer of success that carries an error is the refusal that its code would be elsewhere', () => {
  const golden: [string, string, number][] = [
    ['InvalidParameter', 'refused', 400],
    ['DataInspectionFailed', 'refused', 400],
    ['Throttling.RateQuota', 'limited', 429],
    ['InvalidApiKey', 'unauthorised', 401],
    ['AccessDenied.Unpurchased', 'unauthorised', 403],
    ['Arrearage', 'unauthorised', 402],
    ['InternalError.Algo', 'overloaded', 500],
  ];
  for (const [code, errorClass, status] of golden) {
    assert.deepEqual(outcome(alpha, { code, message: 'no', request_id: 'r' }), [errorClass, status, true], code);
    assert.deepEqual(outcome(beta, { error: { code, message: 'no' } }), [errorClass, status, true], code);
  }
});

test('an answer that may hide a task is no refusal', () => {
  const unknown = ['malformed', 200, false];
  assert.deepEqual(outcome(alpha, { code: 'InternalError', output: { task_id: 't' } }), unknown);
  for (const answer of [{}, [], 'ok', { error: {} }, { id: 'a\0b' }]) assert.deepEqual(outcome(beta, answer), unknown);
  assert.deepEqual(outcome(beta, { id: 'cgt-1', error: { code: 'x' } }), ['cgt-1']);
});
