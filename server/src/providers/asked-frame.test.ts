// Contract-2 7: the size of a video on POST /v1/videos.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoRequest } from '../neutral/video.ts';
import { assertFieldRefused } from '../testing/refusals.ts';
import { videoRequestOf } from '../testing/video-request.ts';
import { alphaVideo } from './alpha-video/provider.ts';
import { betaVideo } from './beta-video/provider.ts';
import type { Provider } from './provider.ts';

interface Sent {
  resolution?: string;
  ratio?: string;
}

function plan({ video }: Provider, fields: Partial<VideoRequest> & { model: string }, sizeBinds = true) {
  assert.ok(video !== undefined);
  const planned = video.plan(videoRequestOf({ ...fields, ...(sizeBinds && { sizeBinds: true as const }) }), 'up');
  const body = JSON.parse(planned.body.bytes.toString()) as Sent & { parameters?: Sent };
  const { resolution, ratio } = body.parameters ?? body;
  return { sent: [resolution, ratio], dropped: planned.dropped, estimate: planned.estimate };
}

test('family alpha: 720 lines or less are 720P, more 1080P, with the nearest ratio within 5 % (contract-2 7)', () => {
  for (const [size, resolution, ratio] of [
    ['1280x720', '720P', '16:9'],
    ['720x1280', '720P', '9:16'],
    ['640x360', '720P', '16:9'],
    ['1024x1792', '1080P', '9:16'],
    ['1792X1024', '1080P', '16:9'],
    ['1920x1080', '1080P', '16:9'],
    ['4096x4096', '1080P', '1:1'],
    ['960x720', '720P', '4:3'],
    ['721x960', '1080P', '3:4'],
  ] as const) {
    const { sent, dropped, estimate } = plan(alphaVideo, { model: 'a-t2v', size });
    assert.deepEqual(sent, [resolution, ratio], size);
    assert.deepEqual(dropped, []);
    assert.equal(estimate.by === 'time' && estimate.resolution, resolution, 'the charge follows');
  }
});

test('family alpha: models without a ratio take the resolution alone, and metadata wins (contract-2 7)', () => {
  const image = { inputReference: 'https://m.test/1' };
  assert.deepEqual(plan(alphaVideo, { model: 'a-i2v', ...image, size: '500x2000' }).sent, ['720P', undefined]);
  const half = plan(alphaVideo, { model: 'a-t2v', size: '720x1280', metadata: { resolution: '1080P' } });
  assert.deepEqual([half.sent, half.dropped], [['1080P', '9:16'], []]);
  const both = plan(alphaVideo, { model: 'a-t2v', size: 'x', metadata: { resolution: '1080P', ratio: '1:1' } });
  assert.deepEqual([both.sent, both.dropped], [['1080P', '1:1'], ['size']]);
});

test('family beta: the lines and the ratio of the size, where neither metadata nor prompt say them (contract-2 7)', () => {
  for (const [size, resolution, ratio] of [
    ['864x496', '480p', '16:9'],
    ['720x1280', '720p', '9:16'],
    ['1920x1088', '1080p', '16:9'],
    ['1504x640', '720p', '21:9'],
    ['2880x2160', '4k', '4:3'],
  ] as const) {
    const { sent, dropped } = plan(betaVideo, { model: 'b', size });
    assert.deepEqual([sent, dropped], [[resolution, ratio], []], size);
  }
  const prompt = plan(betaVideo, { model: 'b', prompt: 'a cat --rs 480p --rt 1:1', size: '1280x720' });
  assert.deepEqual([prompt.sent, prompt.dropped], [[undefined, undefined], ['size']]);
});

test('a size that cannot be honoured is refused with those that can (contract-2 7)', () => {
  const message = /'size' must be one of 1280x720, 720x1280, 720x720, 960x720, 720x960, 1920x1080, .*1080x1440/;
  for (const size of ['2000x1000', '16:9', '0x0', '1280', '1280x720x3', '-1x5'])
    assertFieldRefused(() => plan(alphaVideo, { model: 'a-t2v', size }), { param: 'size', message });
  const param = 'size';
  assertFieldRefused(() => plan(betaVideo, { model: 'b', size: '9000x9000' }), {
    param,
    message: /854x480.*3840x2160/,
  });
  const image = { inputReference: 'https://m.test/1' };
  const some = { param, message: /1280x720, 720x1280, 1920x1080/ };
  assertFieldRefused(() => plan(alphaVideo, { model: 'a-i2v', ...image, size: 'tall' }), some);
});

test('on /v1/video/generations the size changes nothing and is named (spec 2.1)', () => {
  const { sent, dropped } = plan(alphaVideo, { model: 'a-t2v', size: '720x1280' }, false);
  assert.deepEqual([sent, dropped], [['1080P', undefined], ['size']]);
});
