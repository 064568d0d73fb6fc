import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskOf } from '../../testing/task-view.ts';
import { writeSubmitted, writeWrapper } from './write-answer.ts';

test('a submit is answered with the task, queued and at 0 (spec 2.2, 3)', () => {
  assert.deepEqual(writeSubmitted(taskOf()), {
    id: 'task_1',
    task_id: 'task_1',
    object: 'video',
    model: 'alpha-1.1-t2v',
    status: 'queued',
    progress: 0,
    created_at: 1_760_000_000,
  });
});

test('the wrapper shows the status, and progress as a percentage (spec 2.3, 3)', () => {
  const url = 'https://r.test/v.mp4';
  const waiting = { result_url: '', fail_reason: '' };
  const golden = [
    [{ status: 'SUBMITTED' }, { progress: '0%', ...waiting }],
    [
      { status: 'QUEUED', progress: 10 },
      { progress: '10%', ...waiting },
    ],
    [
      { status: 'IN_PROGRESS', progress: 50, resultUrl: url, failReason: 'x' },
      { progress: '50%', ...waiting },
    ],
    [
      { status: 'SUCCESS', progress: 100, resultUrl: url },
      { progress: '100%', result_url: url, fail_reason: '' },
    ],
    [
      { status: 'FAILURE', progress: 100, failReason: 'no' },
      { progress: '100%', result_url: '', fail_reason: 'no' },
    ],
  ] as const;
  for (const [task, data] of golden) {
    assert.deepEqual(writeWrapper(taskOf(task)), {
      code: 'success',
      message: '',
      data: { task_id: 'task_1', status: task.status, ...data },
    });
  }
});

test('a failure always has a reason, and never an address (spec 2.3)', () => {
  const wrapper = writeWrapper(taskOf({ status: 'FAILURE', resultUrl: 'https://r.test/v.mp4' }));
  assert.deepEqual(wrapper['data'], {
    task_id: 'task_1',
    status: 'FAILURE',
    progress: '0%',
    result_url: '',
    fail_reason: 'The task failed.',
  });
});
