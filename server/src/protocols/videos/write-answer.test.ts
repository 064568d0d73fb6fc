import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskOf } from '../../testing/task-view.ts';
import { writeDeleted, writeVideo, writeVideoList } from './write-answer.ts';

test('the task object has every field of the contract, null where nothing is known (contract 5)', () => {
  assert.deepEqual(writeVideo(taskOf()), {
    id: 'task_1',
    task_id: 'task_1',
    object: 'video',
    model: 'alpha-1.1-t2v',
    status: 'queued',
    progress: 0,
    created_at: 1_760_000_000,
    completed_at: null,
    seconds: null,
    size: null,
    error: null,
    prompt: null,
    expires_at: null,
    remixed_from_video_id: null,
  });
});

test('the status has the words of task-style clients (contract 5)', () => {
  const words = (['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'] as const).map(
    (status) => writeVideo(taskOf({ status }))['status'],
  );
  assert.deepEqual(words, ['queued', 'queued', 'in_progress', 'completed', 'failed']);
});

test('on success the address is in url, video_url and metadata.url (spec 2.4)', () => {
  const url = 'https://r.test/v.mp4';
  const task = { status: 'SUCCESS', progress: 100, resultUrl: url, completedAt: 1_760_000_060 } as const;
  const video = writeVideo(taskOf({ ...task, seconds: 5, size: '1280x720' }));
  assert.deepEqual([video['url'], video['video_url'], video['metadata']], [url, url, { url }]);
  assert.deepEqual([video['completed_at'], video['seconds'], video['size']], [1_760_000_060, '5', '1280x720']);
  for (const status of ['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'FAILURE'] as const) {
    const other = writeVideo(taskOf({ ...task, status }));
    for (const name of ['url', 'video_url', 'metadata']) assert.ok(!(name in other), `${name} of ${status}`);
  }
});

test('a failure has its code and reason in error', () => {
  const errorOf = (fields: object) => writeVideo(taskOf({ status: 'FAILURE', ...fields }))['error'];
  assert.deepEqual(errorOf({ failReason: 'no', errorCode: 'Bad' }), { code: 'Bad', message: 'no' });
  assert.deepEqual(errorOf({}), { code: 'task_failed', message: 'The task failed.' });
});

test('a list names its first and last, and an empty one neither (contract 5)', () => {
  const list = writeVideoList([taskOf({ id: 'task_2' }), taskOf({ id: 'task_1' })], true);
  assert.deepEqual(
    [list['object'], list['first_id'], list['last_id'], list['has_more']],
    ['list', 'task_2', 'task_1', true],
  );
  assert.deepEqual(list['data'], [writeVideo(taskOf({ id: 'task_2' })), writeVideo(taskOf())]);
  assert.deepEqual(writeVideoList([], false), {
    object: 'list',
    data: [],
    first_id: null,
    last_id: null,
    has_more: false,
  });
});

test('a deleted task leaves its id (contract 5)', () => {
  assert.deepEqual(writeDeleted('task_1'), { id: 'task_1', object: 'video.deleted', deleted: true });
});
