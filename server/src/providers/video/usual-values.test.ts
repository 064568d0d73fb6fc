// What is sent where the request says nothing must be something that the model takes: a prompt alone makes a video
// (contract-2 9).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { videoRequestOf } from '../../testing/video-request.ts';
import { findProvider } from '../registry.ts';

const usual: [provider: string, model: string, sent: Record<string, unknown>][] = [
  ['vidu', 'viduq1', { duration: 5, resolution: '1080p' }],
  ['vidu', 'viduq1-classic', { duration: 5, resolution: '1080p' }],
  ['vidu', 'vidu2.0', { duration: 4, resolution: '720p' }],
  ['vidu', 'viduq3-pro', { duration: 5, resolution: '720p' }],
  ['minimax', 'T2V-01', { duration: 6, resolution: '720P' }],
  ['minimax', 'I2V-01-Director', { duration: 6, resolution: '720P' }],
  ['minimax', 'MiniMax-Hailuo-2.3', { duration: 6, resolution: '768P' }],
  ['runway', 'veo3.1_fast', { duration: 8, ratio: '1280:720' }],
  ['runway', 'gen4.5', { duration: 5, ratio: '1280:720' }],
];

for (const [provider, model, wanted] of usual)
  test(`${provider} ${model}: ${JSON.stringify(wanted)}`, () => {
    const plan = findProvider(provider)?.video?.plan(videoRequestOf({ model: 'm', prompt: 'a cat' }), model);
    const sent = JSON.parse(String(plan?.body.bytes)) as Record<string, unknown>;
    assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, sent[name]])), wanted);
    assert.deepEqual(
      [plan?.seconds, plan?.sent['milliseconds']],
      [wanted['duration'], Number(wanted['duration']) * 1000],
    );
  });
