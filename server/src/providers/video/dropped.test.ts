// Nothing is left out in silence: what a vendor cannot be reported is named, in the caller's own names (contract-2 9).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { videoRequestOf } from '../../testing/video-request.ts';
import { findProvider } from '../registry.ts';

const golden: [provider: string, model: string, fields: object, dropped: string[]][] = [
  ['kling', 'kling-v3', { size: '1280x720', mode: 'pro' }, []],
  ['kling', 'kling-v3', { size: '999x100', mode: 'pro', metadata: { mode: 'std' } }, ['size', 'mode']],
  ['kling', 'kling-v3', { image: 'https://m.test/a', images: ['https://m.test/a'], size: '1280x720' }, ['size']],
  ['kling', 'kling-v3', { images: ['https://m.test/a'], metadata: { aspect_ratio: '1:1' } }, ['metadata.aspect_ratio']],
  [
    'kling',
    'kling-v3',
    { metadata: { external_task_id: 'x', fps: 30 } },
    ['metadata.external_task_id', 'metadata.fps'],
  ],
  ['kling', 'kling-v3', { seconds: '5', metadata: { duration: 10 } }, ['seconds']],
  ['minimax', 'MiniMax-H3', { images: ['https://m.test/a'], metadata: { ratio: '1:1' } }, ['metadata.ratio']],
  ['minimax', 'MiniMax-H3', { metadata: { content: [{ type: 'text', text: 'other' }] } }, ['metadata.content[0]']],
  [
    'minimax',
    'MiniMax-Hailuo-02',
    { images: ['https://m.test/1', 'https://m.test/2', 'https://m.test/3'] },
    ['images'],
  ],
  ['minimax', 'MiniMax-Hailuo-02', { mode: 'pro', unknown: ['style'] }, ['style', 'mode']],
  ['runway', 'gen4.5', { size: '1280x720', metadata: { ratio: '720:1280' } }, ['size']],
  ['runway', 'gen4.5', { metadata: { contentModeration: { x: 1 } } }, ['metadata.contentModeration.x']],
  ['luma', 'ray-3.2', { metadata: { video: { fps: 24 }, concepts: [] } }, ['metadata.concepts', 'metadata.video.fps']],
  ['luma', 'ray-2', { metadata: { hdr: true } }, ['metadata.hdr']],
  ['vidu', 'viduq2', { images: ['https://m.test/a'], metadata: { aspect_ratio: '1:1' } }, ['metadata.aspect_ratio']],
  ['xai-video', 'grok-imagine-video', { mode: 'fun', size: '7x7' }, ['size', 'mode']],
  ['minimax', 'MiniMax-H3', { size: '1280x720', metadata: { ratio: '1:1' } }, ['size']],
  ['minimax', 'MiniMax-H3', { size: '1280x720', metadata: { ratio: '16:9' } }, []],
  ['vidu', 'viduq2', { size: '1280x720', metadata: { aspect_ratio: '1:1', resolution: '540p' } }, ['size']],
  ['vidu', 'viduq2', { size: '1280x720', metadata: { aspect_ratio: '1:1' } }, []],
  ['luma', 'ray-3.2', { size: '1280x720', metadata: { aspect_ratio: '1:1', video: { resolution: '540p' } } }, ['size']],
  ['luma', 'ray-2', { size: '1280x720', metadata: { aspect_ratio: '1:1', resolution: '540p' } }, ['size']],
  ['xai-video', 'grok', { size: '1280x720', metadata: { aspect_ratio: '1:1', resolution: '480p' } }, ['size']],
  ['gemini-video', 'omni', { size: '1280x720', metadata: { aspect_ratio: '9:16', resolution: '1080p' } }, ['size']],
  ['vertex-video', 'veo', { size: '1280x720', metadata: { aspectRatio: '9:16', resolution: '1080p' } }, ['size']],
  ['openai', 'any', { size: 'odd', mode: 'pro', metadata: { anything: 1 } }, []],
  ['openai', 'any', { seconds: '8', duration: 4 }, ['duration']],
];

for (const [provider, model, fields, dropped] of golden)
  test(`${provider} ${model}: ${JSON.stringify(fields)}`, () => {
    const plan = findProvider(provider)?.video?.plan(videoRequestOf({ model: 'm', ...fields }), model);
    assert.deepEqual(plan?.dropped, dropped);
  });
