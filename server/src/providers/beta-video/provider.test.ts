import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoReport } from '../../neutral/video.ts';
import { videoRequestOf } from '../../testing/video-request.ts';
import type { VideoProvider } from '../video-provider.ts';
import { betaVideo } from './provider.ts';

const video = betaVideo.video as VideoProvider;
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const model = 'beta-2-0-260128';

test('a task is the upstream’s model, the content and what is handed on (spec 2.5)', () => {
  const metadata = { model: 'dearer', duration: 6, resolution: '720p', seed: 0, watermark: false, unknown: 1 };
  const { body } = video.plan(
    videoRequestOf({ model, images: ['https://m.test/1.png'], seconds: '9', metadata }),
    'vendor-2-0',
  );
  assert.deepEqual(JSON.parse(body.bytes.toString()), {
    model: 'vendor-2-0',
    content: [
      { type: 'image_url', image_url: { url: 'https://m.test/1.png' } },
      { type: 'text', text: 'a paper boat' },
    ],
    resolution: '720p',
    duration: 6,
    seed: 0,
    watermark: false,
  });
});

test('what is held has the tier of what is sent (promise M-16)', () => {
  const plain = video.plan(
    videoRequestOf({ model, metadata: { duration: 5, resolution: '720p', ratio: '16:9' } }),
    'up-2-0',
  );
  assert.deepEqual(plain.estimate, { by: 'tokens', tokens: 111_078, tier: 'generate' });
  const content = [{ type: 'video_url', video_url: { url: 'https://m.test/1.mp4' } }];
  const continued = video.plan(videoRequestOf({ model, metadata: { content } }), 'up-2-0');
  assert.equal(continued.estimate.by === 'tokens' && continued.estimate.tier, 'video_input');
});

test('clients are shown the seconds that were asked for, where they are known', () => {
  const seconds = (metadata: Record<string, unknown>) => video.plan(videoRequestOf({ model, metadata }), 'up').seconds;
  assert.deepEqual(
    [seconds({}), seconds({ duration: 8 }), seconds({ duration: -1 }), seconds({ frames: 121 })],
    [5, 8, undefined, 5],
  );
});

test('a finished task is charged by its total, else its completion, else what was held (spec 2.5, billing)', () => {
  const content = [{ type: 'video_url', video_url: { url: 'https://m.test/1.mp4' } }];
  const { sent, estimate } = video.plan(videoRequestOf({ model, metadata: { content } }), 'up');
  const held = estimate.by === 'tokens' ? estimate.tokens : 0;
  const golden: [unknown, number][] = [
    [{ completion_tokens: 5, total_tokens: 7 }, 7],
    [{ completion_tokens: 500, total_tokens: 0 }, 500],
    [{ completion_tokens: 0, total_tokens: 0 }, 0],
    [{ total_tokens: held * 10 }, held * 10],
    [{ total_tokens: held * 10 + 1 }, held],
    [{ total_tokens: 1e15 }, held],
    [{ total_tokens: 1e18 }, held],
    [{ completion_tokens: 5 }, 5],
    [{ completion_tokens: 5, total_tokens: null }, 5],
    [{ completion_tokens: 5, total_tokens: -1 }, 5],
    [{ completion_tokens: '5' }, 5],
    [{ total_tokens: 0 }, 0],
    [{ total_tokens: 1.5 }, held],
    [{ total_tokens: 'many' }, held],
    [{}, held],
    [undefined, held],
  ];
  for (const [usage, tokens] of golden) {
    const reported = video.readTask(
      json({ id: 'x', status: 'succeeded', content: { video_url: 'https://r.test/v' }, usage }),
    );
    assert.ok(reported !== undefined);
    const kept = JSON.parse(JSON.stringify(sent)) as typeof sent;
    const { usage: charged, source, doubted } = video.charged(kept, reported.reported, 'video_tokens');
    assert.deepEqual(charged, { by: 'tokens', tokens, tier: 'video_input' }, JSON.stringify(usage));
    const own = doubted === undefined ? 'estimated' : 'bounded';
    assert.equal(source, tokens === held ? own : 'upstream', JSON.stringify(usage));
  }
});

test('a count that cannot be true is named, and what was held is charged (promise M-10)', () => {
  const { charged } = video;
  assert.deepEqual(charged({ tokens: 90, tier: 'generate' }, { tokens: 901 }, 'video_tokens'), {
    usage: { by: 'tokens', tokens: 90, tier: 'generate' },
    source: 'bounded',
    doubted: 901,
  });
});

test('calls go where the vendor has them', () => {
  const planned = video.plan(videoRequestOf({ model }), 'up');
  const { body } = planned;
  assert.deepEqual(video.submit(planned), { method: 'POST', path: '/contents/generations/tasks', body });
  assert.deepEqual(video.poll({ id: 'a/b' }), { method: 'GET', path: '/contents/generations/tasks/a%2Fb' });
  assert.deepEqual(video.cancel?.({ id: 'id' }), { method: 'DELETE', path: '/contents/generations/tasks/id' });
});

test('a task tells when its upstream gives it up: when the caller said, else after two days', () => {
  const after = (value: unknown) =>
    video.plan(videoRequestOf({ model, metadata: { execution_expires_after: value } }), 'up').expiresAfter;
  assert.deepEqual([after(3600), after('3600'), after(1e15)], [3600, 3600, 259_200]);
  assert.deepEqual([after(null), after(0)], [172_800, 172_800]); // the upstream's own
});

test('tasks of late are read from the list, those that say too little left out', () => {
  const path = (metadata: Record<string, unknown>) => {
    const { sent } = video.plan(videoRequestOf({ model, metadata }), 'up');
    return video.recent?.path({ from: 0, to: 1, model: 'up', sent }).path;
  };
  assert.equal(path({}), '/contents/generations/tasks?page_num=1&page_size=100');
  assert.equal(
    path({ service_tier: 'flex' }),
    '/contents/generations/tasks?page_num=1&page_size=100&filter.service_tier=flex',
  );
  const repeated = { seed: 7, duration: 5, ratio: '16:9', resolution: '720p', service_tier: 'flex', watermark: true };
  const task = { id: 'cgt-1', model: 'vendor-2-0', created_at: 1_773_454_502, status: 'queued', ...repeated };
  const items = [task, { ...task, id: '' }, { ...task, model: 7 }, { ...task, created_at: 'now' }, null, 'x'];
  assert.deepEqual(video.recent?.read(json({ items, total: 6 })), [
    {
      upstreamId: 'cgt-1',
      model: 'vendor-2-0',
      createdAt: 1_773_454_502,
      asked: { seed: 7, duration: 5, ratio: '16:9', resolution: '720p', isFlex: true },
    },
  ]);
  const open = video.plan(
    videoRequestOf({ model, metadata: { duration: -1, seed: -1, ratio: 'adaptive' } }),
    'up',
  ).sent;
  assert.deepEqual(Object.keys(open), ['tokens', 'tier'], 'what is left to the model tells no task apart');
  for (const body of [{}, { items: {} }, []]) assert.deepEqual(video.recent?.read(json(body)), []);
});

test('the id of a new task is all that a submit answers', () => {
  assert.equal(video.readSubmitted(json({ id: 'cgt-1' })), 'cgt-1');
  for (const body of [{}, { id: '' }, { id: 7 }, { error: { code: 'x' } }, []])
    assert.equal(video.readSubmitted(json(body)), undefined);
});

test('a complaint is wrapped, or only a message', () => {
  const error = { code: 'InvalidParameter', message: 'no', param: 'duration', type: 'BadRequest' };
  assert.deepEqual(video.readComplaint(json({ error })), {
    message: 'no',
    code: 'InvalidParameter',
    param: 'duration',
    type: 'BadRequest',
  });
  assert.equal(video.readComplaint(json({ message: 'no' })).message, 'no');
});

const statusOf = (status: unknown, more: object = {}): VideoReport | undefined =>
  video.readTask(json({ id: 'cgt-1', status, ...more }));

test('each status of the upstream has one meaning, and one that is not known changes nothing', () => {
  const golden: [string, VideoReport['status'], number][] = [
    ['queued', 'queued', 10],
    ['pending', 'queued', 10],
    ['running', 'in_progress', 50],
    ['processing', 'in_progress', 50],
    ['failed', 'failed', 100],
    ['cancelled', 'failed', 100],
    ['canceled', 'failed', 100],
    ['expired', 'failed', 100],
  ];
  for (const [word, status, progress] of golden) {
    const report = statusOf(word);
    assert.deepEqual([report?.status, report?.progress, report?.isUnknown], [status, progress, false]);
    assert.equal(report?.failReason === undefined, status !== 'failed');
  }
  for (const word of ['dreaming', '', 7, null, 'constructor']) assert.equal(statusOf(word), undefined);
  assert.equal(video.readTask(Buffer.from('<html>502</html>')), undefined);
});

test('a success has an address, and a failure its reason in the upstream’s words', () => {
  const done = statusOf('succeeded', { error: null, content: { video_url: 'https://r.test/v.mp4' } });
  assert.deepEqual([done?.status, done?.videoUrl, done?.progress], ['succeeded', 'https://r.test/v.mp4', 100]);
  assert.deepEqual([statusOf('succeeded')?.status, statusOf('succeeded')?.videoUrl], ['succeeded', undefined]);
  const error = { code: 'OutputVideoSensitiveContentDetected', message: 'The output may be sensitive.' };
  const failed = statusOf('failed', { error });
  assert.deepEqual([failed?.failReason, failed?.failCode], [error.message, error.code]);
  assert.equal(statusOf('failed', { error: { code: 'InternalServiceError' } })?.failReason, 'InternalServiceError');
});

test('a channel is tested by a look that makes nothing', () => {
  const { test: look } = betaVideo;
  assert.ok('look' in look);
  assert.equal(look.look, '/contents/generations/tasks?page_num=1&page_size=1');
  assert.deepEqual([look.isAnswer(json({ items: [], total: 0 })), look.isAnswer(json({ total: 0 }))], [true, false]);
});
