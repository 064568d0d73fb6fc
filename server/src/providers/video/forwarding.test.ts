import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFieldRefused } from '../../testing/refusals.ts';
import { numberText, oneOf, readForwarded, withForwarded } from './forwarding.ts';

const map = {
  mode: 'text',
  duration: numberText,
  'video.resolution': oneOf('720p', '1080p'),
  'video.loop': 'flag',
  'config.task.name': 'text',
} as const;

const written = (metadata: Record<string, unknown>): unknown =>
  withForwarded({ mode: 'std', video: { resolution: '720p' } }, readForwarded(metadata, map));

test('names of the vendor are taken flat or nested, and win over the common fields (contract-2 9)', () => {
  assert.deepEqual(written({}), { mode: 'std', video: { resolution: '720p' } });
  assert.deepEqual(written({ mode: 'pro', duration: 5, resolution: '1080P', loop: 'true' }), {
    mode: 'pro',
    duration: '5',
    video: { resolution: '1080p', loop: true },
  });
  assert.deepEqual(written({ video: { loop: false }, config: { task: { name: 'edit' } } }), {
    mode: 'std',
    video: { resolution: '720p', loop: false },
    config: { task: { name: 'edit' } },
  });
});

test('null is absent, an explicit 0 and false are not', () => {
  const { values } = readForwarded({ mode: null, duration: 0, loop: false }, map);
  assert.deepEqual([...values], [['duration', '0'], ['video.loop', false]]); // prettier-ignore
});

test('what is not in the map, or is overruled, is named as lost, however deep (contract-2 9)', () => {
  const given = { video: { resolution: '720p', fps: 60 }, resolution: '1080p', config: { task: { name: 'a', x: 1 } } };
  const { lost, taken } = readForwarded(given, map);
  assert.deepEqual([...lost].sort(), ['metadata.config.task.x', 'metadata.resolution', 'metadata.video.fps']);
  assert.ok(taken.has('video') && taken.has('resolution') && !taken.has('fps'));
});

test('a value of the wrong kind is refused by the name that the caller wrote', () => {
  const refused = (metadata: Record<string, unknown>, param: string): void =>
    assertFieldRefused(() => readForwarded(metadata, map), { param, message: /must be/ });
  refused({ mode: 7 }, 'metadata.mode');
  refused({ loop: 'perhaps' }, 'metadata.loop');
  refused({ video: { loop: 'perhaps' } }, 'metadata.video.loop');
  refused({ video: 'large' }, 'metadata.video');
  assertFieldRefused(() => readForwarded({ seed: 1.5 }, { seed: 'integer' }), {
    param: 'metadata.seed',
    message: /whole number/,
  });
});
