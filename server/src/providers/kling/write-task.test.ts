import assert from 'node:assert/strict';
import { test } from 'node:test';
import { videoRequestOf } from '../../testing/video-request.ts';
import { planTask } from './write-task.ts';

test('the mode says the resolution that a price by the second counts (contract-2 9)', () => {
  const resolutionOf = (mode: string | undefined): unknown =>
    planTask(videoRequestOf({ model: 'm', mode }), 'kling-v3').sent['resolution'];
  assert.deepEqual(
    [undefined, 'std', 'pro', '4k'].map((mode) => resolutionOf(mode)),
    ['720P', '720P', '1080P', '4K'],
  );
});

test('a picture as a data address is bare base64 for Kling, also by its own names (contract-2 9)', () => {
  const data = 'data:image/png;base64,QUJD';
  const bodyOf = (metadata: Record<string, unknown>): Record<string, unknown> =>
    JSON.parse(String(planTask(videoRequestOf({ model: 'm', metadata }), 'kling-v3').body.bytes)) as Record<
      string,
      unknown
    >;
  const { image, image_tail: tail, static_mask: mask } = bodyOf({ image: data, image_tail: data, static_mask: data });
  assert.deepEqual([image, tail, mask], ['QUJD', 'QUJD', 'QUJD']);
  assert.deepEqual(bodyOf({ image_list: [{ image: data }] })['image_list'], [{ image: 'QUJD' }]);
});
