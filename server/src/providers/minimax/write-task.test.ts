import assert from 'node:assert/strict';
import { test } from 'node:test';
import { videoRequestOf } from '../../testing/video-request.ts';
import { minimax } from './provider.ts';

type Fields = Partial<Parameters<typeof videoRequestOf>[0]>;

function bodyOf(model: string, fields: Fields = {}): Record<string, unknown> {
  const plan = minimax.video?.plan(videoRequestOf({ model: 'm', ...fields }), model);
  return JSON.parse(String(plan?.body.bytes)) as Record<string, unknown>;
}

test('a video of text alone has a ratio, because the vendor refuses it without one; others follow their pictures', () => {
  assert.equal(bodyOf('MiniMax-H3')['ratio'], '16:9');
  assert.equal(bodyOf('MiniMax-H3', { size: '720x1280' })['ratio'], '9:16');
  assert.equal(bodyOf('MiniMax-H3', { metadata: { ratio: '1:1' } })['ratio'], '1:1');
  assert.equal(bodyOf('MiniMax-H3', { images: ['https://m.test/a'] })['ratio'], undefined);
  const three = ['https://m.test/a', 'https://m.test/b', 'https://m.test/c'];
  assert.equal(bodyOf('MiniMax-H3', { images: three })['ratio'], undefined);
});

test('H3-Max has resolutions and fields of its own', () => {
  const metadata = { resolution: '480p', seed: 0, prompt_expansion_mode: 'quality' };
  const { resolution, seed, extra } = bodyOf('MiniMax-H3-Max', { metadata });
  assert.deepEqual([resolution, seed, extra], ['480P', 0, { prompt_expansion_mode: 'quality' }]);
  assert.equal(bodyOf('MiniMax-H3-Max', { size: '854x480' })['resolution'], '480P');
});

test('a queued task of the second API can be cancelled, one of the first cannot', () => {
  const cancel = (api: string): unknown => minimax.video?.cancel?.({ id: '1/2', api });
  assert.deepEqual(cancel('v2'), { method: 'DELETE', path: '/v2/video_generation/1%2F2' });
  assert.equal(cancel('v1'), undefined);
});
