// Contract-2 7: the size of a video on POST /v1/videos, for the vendors with fields of their own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoRequest } from '../../neutral/video.ts';
import { assertFieldRefused } from '../../testing/refusals.ts';
import { videoRequestOf } from '../../testing/video-request.ts';
import { geminiVideo } from '../gemini-video/provider.ts';
import { kling } from '../kling/provider.ts';
import { luma } from '../luma/provider.ts';
import { minimax } from '../minimax/provider.ts';
import type { Provider } from '../provider.ts';
import { runway } from '../runway/provider.ts';
import { vertexVideo } from '../vertex-video/provider.ts';
import { vidu } from '../vidu/provider.ts';
import { xaiVideo } from '../xai-video/provider.ts';

const CLIP = { metadata: { video: { url: 'https://m.test/a.mp4' } } };

function planned({ video }: Provider, model: string, fields: Partial<VideoRequest>) {
  assert.ok(video !== undefined);
  return video.plan(videoRequestOf({ model, sizeBinds: true, ...fields }), model);
}

function sent(provider: Provider, model: string, fields: Partial<VideoRequest>): (string | undefined)[] {
  const text = planned(provider, model, fields).body.bytes.toString();
  return [/"(?:aspect_ratio|aspectRatio|ratio)":"([^"]*)"/, /"resolution":"([^"]*)"/].map(
    (pattern) => pattern.exec(text)?.[1],
  );
}

test('a size gives the nearest ratio and the resolution that holds it, which is what is charged (contract-2 7)', () => {
  const size = '1792x1024';
  assert.deepEqual(sent(luma, 'ray-2', { size }), ['16:9', '1080p']);
  assert.deepEqual(sent(luma, 'ray-3', { size }), ['16:9', '1080p']);
  assert.deepEqual(sent(xaiVideo, 'grok-imagine-video', { size }), ['16:9', '1080p']);
  assert.deepEqual(sent(vidu, 'viduq2', { size: '1280x720' }), ['16:9', '720p']);
  assert.deepEqual(sent(minimax, 'MiniMax-H3', { size: '720x1280' }), ['9:16', '768P']);
  assert.deepEqual(sent(geminiVideo, 'veo', { size }), ['16:9', '1080p']);
  assert.deepEqual(sent(vertexVideo, 'veo', { size: '720x1280' }), ['9:16', '720p']);
  assert.deepEqual(sent(kling, 'kling-v2', { size: '1024x1024' })[0], '1:1');
  const { estimate } = planned(luma, 'ray-2', { size });
  assert.equal(estimate.by === 'time' && estimate.resolution, '1080P');
});

test('a size that cannot be honoured is refused with those that can (contract-2 7)', () => {
  const wrong: [Provider, string, string, RegExp][] = [
    [luma, 'ray-2', '2000x800', /960x540.*3840x2160/],
    [luma, 'ray-2', 'tall', /960x540/],
    [xaiVideo, 'grok-imagine-video', '3840x2160', /854x480.*1920x1080/],
    [vidu, 'viduq2', '3840x2160', /1920x1080/],
    [minimax, 'MiniMax-Hailuo-02', '3840x2160', /1080/],
    [geminiVideo, 'veo', '1024x1024', /1280x720, 720x1280/],
    [vertexVideo, 'veo', '1024x1024', /1280x720, 720x1280/],
    [kling, 'kling-v2', '1024x768', /'size' must be one of 1280x720, 720x1280, 720x720, or near/],
    [runway, 'gen4', 'tall', /WIDTHxHEIGHT/],
  ];
  for (const [provider, model, size, message] of wrong)
    assertFieldRefused(() => planned(provider, model, { size }), { param: 'size', message });
});

test('what metadata says goes before, and a task without ratio or resolution takes none of a size', () => {
  const metadata = { aspect_ratio: '21:9', resolution: '540p' };
  assert.deepEqual(sent(luma, 'ray-2', { size: 'tall', metadata }), ['21:9', '540p']);
  assert.deepEqual(sent(luma, 'ray-2', { size: '1000x1000', metadata: { resolution: '540p' } }), ['1:1', '540p']);
  const images = ['https://m.test/1.png'];
  const framed = planned(kling, 'kling-v2', { size: 'tall', images });
  assert.ok(framed.dropped.includes('size'));
  assert.deepEqual(sent(vidu, 'viduq2', { size: '1000x700', images }), [undefined, '720p']);
  assert.ok(planned(xaiVideo, 'grok-imagine-video', { size: 'tall', ...CLIP }).dropped.includes('size'));
  assert.deepEqual(sent(luma, 'ray-2', { size: '16:9' })[0], '16:9');
});

test('elsewhere a size that gives nothing is left out and named', () => {
  const { sizeBinds: _, ...request } = videoRequestOf({ model: 'ray-2', size: 'tall', sizeBinds: true });
  assert.deepEqual(luma.video?.plan(request, 'ray-2').dropped, ['size']);
});
