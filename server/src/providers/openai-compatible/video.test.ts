import assert from 'node:assert/strict';
import { test } from 'node:test';
import { videoRequestOf } from '../../testing/video-request.ts';
import { taskStyleVideo } from './video.ts';

function planOf(fields: object) {
  const plan = taskStyleVideo.plan(videoRequestOf({ model: 'm', ...fields }), 'cheap-video');
  return { ...plan, json: JSON.parse(String(plan.body.bytes)) as Record<string, unknown> };
}

test('metadata cannot name another model than the one that is charged (spec 2.5 rule 1)', () => {
  for (const name of ['model', 'Model', 'model_name', 'MODEL_NAME']) {
    const { json, dropped } = planOf({ metadata: { [name]: 'dear-video', style: 'noir' } });
    assert.deepEqual([json['model'], json['metadata']], ['cheap-video', { style: 'noir' }]);
    assert.deepEqual(dropped, [`metadata.${name}`]);
  }
});

test('what metadata asks for is what is charged, since the upstream lets it win (contract-2 9)', () => {
  const { estimate, seconds } = planOf({
    seconds: '4',
    mode: 'std',
    size: '1280x720',
    metadata: { seconds: '12', mode: 'Pro', resolution: '1080p', sound: true },
  });
  assert.equal(seconds, 12);
  assert.deepEqual(estimate, {
    by: 'time',
    milliseconds: 12_000,
    resolution: '1080P',
    traits: ['mode:pro', 'sound:on'],
  });
  const sized = planOf({ size: '1280x720', metadata: { size: '1920x1080', duration: 6 } });
  assert.deepEqual(sized.estimate, { by: 'time', milliseconds: 6000, resolution: '1920X1080' });
  assert.equal(sized.size, '1920x1080');
});

test('a length that no video has is not what is held (promise M-10)', () => {
  for (const duration of [-5, 0, 1e9, '-3'])
    assert.deepEqual(planOf({ metadata: { duration } }).estimate, { by: 'time', milliseconds: 4000, resolution: '' });
});
