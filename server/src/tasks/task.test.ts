import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoReport } from '../neutral/video.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import { taskRow } from '../testing/task-rows.ts';
import { judgeReport } from './poll/judge-report.ts';
import { surelyNotTaken } from './submit/sure-refusal.ts';
import { canMove, changedTask, statesShownAs, statusOf, viewTask } from './task.ts';

const states = [
  'CREATED',
  'SUBMITTING',
  'SUBMIT_UNKNOWN',
  'SUBMITTED',
  'QUEUED',
  'IN_PROGRESS',
  'SUCCESS',
  'FAILURE',
] as const;

test('a task never goes backwards and never leaves an end (promises V-03, V-06)', () => {
  for (const [index, from] of states.entries())
    for (const [later, to] of states.entries())
      if (canMove(from, to)) {
        assert.ok(later > index || (from === 'SUBMITTING' && to === 'SUBMITTING'), `${from} -> ${to}`);
        assert.ok(from !== 'SUCCESS' && from !== 'FAILURE');
      }
  assert.throws(() => changedTask(taskRow({ id: 't', state: 'IN_PROGRESS' }), { state: 'QUEUED' }, 1), /cannot go/);
  assert.equal(changedTask(taskRow({ id: 't', version: 7 }), { progress: 5 }, 99).version, 8);
});

test('the steps of a submit are shown as SUBMITTED (spec 3)', () => {
  assert.deepEqual(states.map((state) => statusOf({ state })).slice(0, 4), Array(4).fill('SUBMITTED'));
  assert.deepEqual(statesShownAs('SUBMITTED'), states.slice(0, 4));
  assert.deepEqual(statesShownAs('SUCCESS'), ['SUCCESS']);
  assert.equal(viewTask(taskRow({ id: 't' })).status, 'SUBMITTED');
});

const report = (more: Partial<VideoReport>): VideoReport => ({
  status: 'queued',
  progress: 10,
  videoUrl: undefined,
  failReason: undefined,
  failCode: undefined,
  reported: {},
  isUnknown: false,
  ...more,
});

test('progress only grows, and only an end is 100', () => {
  const task = taskRow({ id: 't', state: 'IN_PROGRESS', progress: 50 });
  const changes = (more: Partial<VideoReport>) => {
    const verdict = judgeReport(task, report(more), task.created_at + 5);
    assert.equal(verdict.kind, 'goes-on');
    return verdict.kind === 'goes-on' ? verdict.changes : {};
  };
  assert.deepEqual([changes({}).progress, changes({}).state], [50, 'IN_PROGRESS']);
  assert.equal(changes({ status: 'in_progress', progress: 100 }).progress, 99);
  assert.equal(changes({ status: 'in_progress', progress: Number.NaN }).progress, 50);
});

test('a provider that does not know a task has a minute to learn of it', () => {
  const task = taskRow({ id: 't', state: 'SUBMITTED' });
  const unknown = report({ status: 'failed', isUnknown: true });
  assert.equal(judgeReport(task, unknown, task.created_at + 59).kind, 'goes-on');
  assert.equal(judgeReport(task, unknown, task.created_at + 60).kind, 'failed');
});

test('a failure always has a reason, and success without a video is none', () => {
  const task = taskRow({ id: 't', state: 'QUEUED' });
  const failed = judgeReport(task, report({ status: 'failed', failReason: '  ' }), 0);
  assert.ok(failed.kind === 'failed' && failed.reason !== '' && failed.code === 'task_failed');
  const bare = report({ status: 'succeeded' });
  assert.equal(judgeReport(task, bare, 0).kind, 'goes-on');
  assert.equal(judgeReport({ ...task, poll_failures: 9 }, bare, 0).kind, 'goes-on');
  assert.equal(judgeReport({ ...task, videoless: 4 }, bare, 0).kind, 'failed');
});

test('a submit may go to another channel only when the first surely did not take it (contract 5, promise V-05)', () => {
  const failure = (...[errorClass, facts]: [UpstreamError['errorClass'], UpstreamError['facts']?]) =>
    surelyNotTaken(new UpstreamError(errorClass, 'x', facts));
  const broke = (code: string) => ({ cause: Object.assign(new Error(code), { code }) });
  for (const sure of [
    failure('limited', { status: 429 }),
    failure('unauthorised', { status: 401 }),
    failure('refused', { status: 400 }),
    failure('overloaded', { status: 500, upstreamMessage: 'overloaded' }),
    failure('overloaded', { status: 503, upstreamCode: 'ServerOverloaded' }),
    failure('unreachable', broke('ECONNREFUSED')),
    failure('unreachable', broke('ENOTFOUND')),
    failure('timed-out', broke('UND_ERR_CONNECT_TIMEOUT')),
    failure('unreachable', broke('DEPTH_ZERO_SELF_SIGNED_CERT')),
  ])
    assert.equal(sure, true);
  for (const unsure of [
    failure('overloaded', { status: 502 }),
    failure('timed-out'),
    failure('timed-out', { status: 504 }),
    failure('unreachable', broke('ECONNRESET')),
    failure('unreachable', broke('UND_ERR_SOCKET')),
    failure('malformed', { status: 200 }),
    failure('aborted'),
  ])
    assert.equal(unsure, false);
});
