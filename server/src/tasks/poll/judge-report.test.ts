import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoReport } from '../../neutral/video.ts';
import { taskRow } from '../../testing/task-rows.ts';
import { judgeReport } from './judge-report.ts';

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
