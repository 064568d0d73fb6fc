import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTask } from './read-task.ts';

const read = (answer: object | string) =>
  readTask(Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)));
const video = { url: 'https://vidgen.x.ai/v.mp4', duration: 6, respect_moderation: true };

test('a task without a state goes on until there is a video, and an answer may be empty', () => {
  for (const answer of ['', {}, { status: 'pending', progress: 3 }, { status: 'processing' }])
    assert.equal(read(answer)?.status, 'in_progress', JSON.stringify(answer));
  for (const answer of [
    { video, model: 'm' },
    { status: 'done', video },
  ]) {
    const report = read(answer);
    assert.deepEqual([report?.status, report?.videoUrl], ['succeeded', video.url]);
  }
  assert.equal(read('<html>'), undefined);
});

test('what its moderation took is a failure, with or without a state', () => {
  for (const answer of [
    { video: { respect_moderation: false } },
    { status: 'done', video: { ...video, respect_moderation: false } },
  ])
    assert.equal(read(answer)?.status, 'failed');
});

test('ticks are ten-billionths of a dollar', () => {
  const report = read({ status: 'done', video, usage: { cost_in_usd_ticks: 4_200_000_000 } });
  assert.equal(report?.reported.units, '0.42');
});
