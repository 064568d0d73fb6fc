import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFieldRefused, assertRefused } from '../../testing/refusals.ts';
import { taskOf } from '../../testing/task-view.ts';
import { type KlingKind, readKlingRequest } from './read-request.ts';
import { klingCode, writeKlingTask } from './write-answer.ts';

const read = (fields: object, kind: KlingKind = 'text2video') =>
  readKlingRequest(Buffer.from(JSON.stringify({ model_name: 'kling-v2-6', ...fields })), kind);

test("Kling's own fields become a request: the common ones by name, the rest as metadata (contract-2 9)", () => {
  const request = read({
    prompt: 'a cat',
    duration: '10',
    mode: 'pro',
    cfg_scale: 0,
    aspect_ratio: '1:1',
    sound: null,
  });
  assert.deepEqual(
    [request.model, request.prompt, request.seconds, request.mode, request.metadata],
    ['kling-v2-6', 'a cat', '10', 'pro', { cfg_scale: 0, aspect_ratio: '1:1' }],
  );
  const framed = read({ image: 'QUJD', image_tail: 'REVG', duration: 5 }, 'image2video');
  assert.deepEqual([framed.images, framed.prompt, framed.seconds, framed.metadata], [['QUJD', 'REVG'], '', '5', {}]);
  assert.deepEqual(read({ image_tail: 'REVG' }, 'image2video').metadata, { image_tail: 'REVG' });
  assert.equal(read({ model_name: undefined, model: 'm', prompt: 'p' }).model, 'm');
});

test('what a path needs is refused by name', () => {
  assertRefused(() => read({}), 'prompt is required', 'prompt');
  assertFieldRefused(() => read({ prompt: 'p', image: 'x' }), { param: 'image', message: /image2video/ });
  assertFieldRefused(() => read({ prompt: 'p' }, 'image2video'), { param: 'image', message: /required/ });
  assertFieldRefused(() => read({ model_name: '', prompt: 'p' }), { param: 'model_name', message: /required/ });
  assertFieldRefused(() => read({ prompt: 7 }), { param: 'prompt', message: /string/ });
});

test("a task stands in Kling's envelope, with times in milliseconds", () => {
  const write = (fields: object) => writeKlingTask(taskOf(fields), 'req_1') as { code: number; data: object };
  assert.deepEqual(write({}), {
    code: 0,
    message: 'SUCCEED',
    request_id: 'req_1',
    data: {
      task_id: 'task_1',
      task_status: 'submitted',
      created_at: 1_760_000_000_000,
      updated_at: 1_760_000_000_000,
    },
  });
  const done = write({ status: 'SUCCESS', resultUrl: 'https://r.test/v.mp4', seconds: 5 }).data as {
    task_result: unknown;
  };
  assert.deepEqual(done.task_result, { videos: [{ id: 'task_1', url: 'https://r.test/v.mp4', duration: '5' }] });
  const failed = write({ status: 'FAILURE', failReason: 'no' }).data as {
    task_status_msg: string;
    task_status: string;
  };
  assert.deepEqual([failed.task_status, failed.task_status_msg], ['failed', 'no']);
  assert.deepEqual([400, 402, 404, 418, 429, 502].map(klingCode), [1201, 1102, 1203, 1200, 1302, 5000]);
});
