import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VideoReport, VideoRequest } from '../../neutral/video.ts';
import { assertFieldRefused } from '../../testing/refusals.ts';
import { videoRequestOf } from '../../testing/video-request.ts';
import type { VideoBill, VideoProvider } from '../video-provider.ts';
import { alphaVideo } from './provider.ts';

const video = alphaVideo.video as VideoProvider;
const plan = (fields: Partial<VideoRequest> & { model: string }, upstreamModel = 'up') =>
  video.plan(videoRequestOf(fields), upstreamModel);
const sentBody = (...parts: Parameters<typeof plan>): unknown => JSON.parse(plan(...parts).body.bytes.toString());
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const edit = { model: 'a-video-edit', metadata: { media: [{ type: 'video', url: 'https://m.test/v.mp4' }] } };

test('a text-to-video task is model, input and parameters, without media (spec 2.6)', () => {
  const metadata = { resolution: '720p', ratio: '9:16', duration: 6, seed: 0, unknown: 1 };
  assert.deepEqual(sentBody({ model: 'a-t2v', metadata }, 'up-t2v'), {
    model: 'up-t2v',
    input: { prompt: 'a paper boat' },
    parameters: { resolution: '720P', ratio: '9:16', duration: 6, seed: 0, watermark: false },
  });
});

test('a task with media carries them in its input', () => {
  assert.deepEqual(sentBody({ model: 'a-r2v', images: ['https://m.test/1.png', 'https://m.test/2.png'] }), {
    model: 'up',
    input: {
      prompt: 'a paper boat',
      media: [
        { type: 'reference_image', url: 'https://m.test/1.png' },
        { type: 'reference_image', url: 'https://m.test/2.png' },
      ],
    },
    parameters: { resolution: '1080P', duration: 5, watermark: false },
  });
  assert.deepEqual(sentBody({ ...edit, duration: 9 }), {
    model: 'up',
    input: { prompt: 'a paper boat', media: edit.metadata.media },
    parameters: { resolution: '1080P', watermark: false, audio_setting: 'auto' },
  });
});

test('the create asks to be asynchronous, and is where the vendor has it', () => {
  const planned = plan({ model: 'a-t2v' });
  assert.deepEqual(video.submit(planned), {
    method: 'POST',
    path: '/api/v1/services/aigc/video-generation/video-synthesis',
    headers: { 'x-dashscope-async': 'enable' },
    body: planned.body,
  });
  assert.deepEqual(video.poll({ id: 'a/b?c' }), { method: 'GET', path: '/api/v1/tasks/a%2Fb%3Fc' });
  assert.deepEqual(video.cancel?.({ id: 'id' }), { method: 'POST', path: '/api/v1/tasks/id/cancel' });
});

/** What a price may have factors for (contract-2 9). */
const traits = ['watermark:off'];

test('what is held is the sent duration at the sent resolution (spec 2.6, billing)', () => {
  const requested = plan({ model: 'a-t2v', metadata: { duration: 99, resolution: '720P' }, size: '640x360' });
  assert.deepEqual(requested.estimate, { by: 'time', milliseconds: 15_000, resolution: '720P', traits });
  assert.deepEqual([requested.seconds, requested.size], [15, '1280x720']);
  assert.deepEqual(plan({ model: 'a-i2v', inputReference: 'https://m.test/1' }).estimate, {
    by: 'time',
    milliseconds: 5_000,
    resolution: '1080P',
    traits,
  });
  const marked = plan({ model: 'a-t2v', metadata: { watermark: true } });
  assert.deepEqual(marked.estimate, { by: 'time', milliseconds: 5_000, resolution: '1080P', traits: ['watermark:on'] });
  assert.deepEqual(
    video.charged(marked.sent, {}, 'second').usage,
    marked.estimate,
    'the charge goes by what was sent, too',
  );
});

test('an edit is held and charged by the declared duration within [1,60], else 10 seconds (spec 2.6, contract 5)', () => {
  const golden: [unknown, number][] = [
    [undefined, 10_000],
    [null, 10_000],
    [7, 7_000],
    ['7', 7_000],
    [6.62, 6_620],
    [0, 1_000],
    [-5, 1_000],
    [60, 60_000],
    [61, 60_000],
  ];
  const ofEdits = { traits: ['watermark:off', 'audio_setting:auto'] };
  for (const [duration, milliseconds] of golden) {
    const { estimate, sent, seconds } = plan({ ...edit, metadata: { ...edit.metadata, duration } });
    assert.deepEqual(estimate, { by: 'time', milliseconds, resolution: '1080P', ...ofEdits }, String(duration));
    const reported = { milliseconds: 3_000, resolution: '720P' };
    const usage = { by: 'time', milliseconds, resolution: '720P', ...ofEdits };
    assert.deepEqual(
      video.charged(sent, reported, 'second'),
      { usage, source: 'estimated' },
      'whatever the upstream counted',
    );
    assert.equal(seconds, undefined);
  }
  for (const duration of ['long', '', {}, true])
    assertFieldRefused(() => plan({ ...edit, metadata: { ...edit.metadata, duration } }), {
      param: 'metadata.duration',
      message: /must be a number/,
    });
});

test('a finished task is charged by output, else billed, else sent seconds, at the reported resolution (spec 2.6)', () => {
  const { sent } = plan({ model: 'a-t2v', metadata: { duration: 6 } });
  const charged = (usage: unknown): VideoBill => {
    const report = video.readTask(
      json({ output: { task_status: 'SUCCEEDED', video_url: 'https://r.test/v.mp4' }, usage }),
    );
    assert.ok(report !== undefined);
    return video.charged(JSON.parse(JSON.stringify(sent)) as typeof sent, report.reported, 'second');
  };
  const golden: [unknown, number, string][] = [
    [{ SR: 720 }, 6_000, '720P'],
    [{ duration: 60 }, 60_000, '1080P'],
    [{ duration: 61 }, 6_000, '1080P'], // ten times what was asked for is the most that is believed (promise M-10)
    [{ duration: 12, output_video_duration: 5, SR: 720 }, 5_000, '720P'],
    [{ duration: 7, SR: 1080 }, 7_000, '1080P'],
    [{ output_video_duration: 6.6251 }, 6_625, '1080P'],
    [{ output_video_duration: 0, duration: 4, SR: '720P' }, 4_000, '720P'],
    [{ video_duration: 4, SR: '720' }, 4_000, '720P'],
    ['{"duration": 8, "SR": 720}', 8_000, '720P'],
    [{ duration: '8', SR: 'high' }, 8_000, '1080P'],
    [{ duration: -1, SR: null }, 6_000, '1080P'],
    [{ duration: 'x' }, 6_000, '1080P'],
    [{ duration: 1e300 }, 6_000, '1080P'],
    [undefined, 6_000, '1080P'],
    [null, 6_000, '1080P'],
  ];
  for (const [usage, milliseconds, resolution] of golden) {
    const bill = charged(usage);
    assert.deepEqual(bill.usage, { by: 'time', milliseconds, resolution, traits }, JSON.stringify(usage));
    const own = bill.doubted === undefined ? 'estimated' : 'bounded';
    assert.equal(bill.source, milliseconds === 6_000 ? own : 'upstream', JSON.stringify(usage));
  }
});

test('tasks of late are read from the list, those that say too little left out', () => {
  const request = { from: 0, to: 1, model: 'm', sent: {} };
  assert.deepEqual(video.recent?.path(request), { method: 'GET', path: '/api/v1/tasks?page_no=1&page_size=100' });
  const row = { task_id: 't-1', model_name: 'vendor-t2v', gmt_create: 1_773_454_502_987, status: 'RUNNING' };
  const data = [row, { ...row, task_id: '' }, { ...row, model_name: null }, { ...row, gmt_create: 'now' }, null];
  assert.deepEqual(video.recent?.read(json({ total: 5, data })), [
    { upstreamId: 't-1', model: 'vendor-t2v', createdAt: 1_773_454_502, asked: {} },
  ]);
  for (const body of [{}, { data: {} }, []]) assert.deepEqual(video.recent?.read(json(body)), []);
});

test('the id of a new task is read, and an answer that carries a code is none', () => {
  assert.equal(video.readSubmitted(json({ output: { task_id: 'x-1', task_status: 'PENDING' } })), 'x-1');
  assert.equal(
    video.readSubmitted(json({ output: { task_id: 'x-1' }, code: 'Throttling', message: 'slow' })),
    undefined,
  );
  for (const body of [{}, { output: {} }, { output: { task_id: '' } }, { output: { task_id: 7 } }, [], null])
    assert.equal(video.readSubmitted(json(body)), undefined);
  assert.equal(video.readSubmitted(Buffer.from('<html>')), undefined);
});

test('a complaint is flat', () => {
  assert.deepEqual(video.readComplaint(json({ code: 'InvalidApiKey', message: 'no', request_id: 'r' })), {
    message: 'no',
    code: 'InvalidApiKey',
    param: undefined,
  });
  const nothing = { message: undefined, code: undefined, param: undefined };
  assert.deepEqual(video.readComplaint(Buffer.from('Bad Gateway')), nothing);
});

const statusOf = (task_status: unknown, more: object = {}): VideoReport | undefined =>
  video.readTask(json({ request_id: 'r', output: { task_id: 't', task_status, ...more } }));

test('each status of the upstream has one meaning, and one that is not known changes nothing', () => {
  const golden: [string, VideoReport['status'], number][] = [
    ['PENDING', 'queued', 20],
    ['SUSPENDED', 'queued', 20],
    ['RUNNING', 'in_progress', 30],
    ['FAILED', 'failed', 100],
    ['CANCELED', 'failed', 100],
    ['UNKNOWN', 'failed', 100],
  ];
  for (const [word, status, progress] of golden) {
    const report = statusOf(word);
    assert.deepEqual([report?.status, report?.progress, report?.isUnknown], [status, progress, word === 'UNKNOWN']);
    assert.equal(report?.failReason === undefined, status !== 'failed');
  }
  for (const word of ['DREAMING', '', 7, null, 'constructor']) assert.equal(statusOf(word), undefined);
  assert.equal(video.readTask(json({ code: 'Throttling.RateQuota', message: 'slow' })), undefined);
  assert.equal(video.readTask(Buffer.from('<html>502</html>')), undefined);
});

test('a success has an address, and without one says so', () => {
  const report = statusOf('SUCCEEDED', { video_url: 'https://r.test/v.mp4?Expires=1' });
  assert.deepEqual([report?.status, report?.videoUrl], ['succeeded', 'https://r.test/v.mp4?Expires=1']);
  for (const video_url of [undefined, '', 7, 'file:///v.mp4', 'http://'])
    assert.deepEqual(
      [statusOf('SUCCEEDED', { video_url })?.status, statusOf('SUCCEEDED', { video_url })?.videoUrl],
      ['succeeded', undefined],
    );
});

test("a failure is reported in the upstream's words", () => {
  const word = statusOf('FAILED', { code: 'InvalidParameter', message: 'The resolution is not valid' });
  assert.deepEqual([word?.failReason, word?.failCode], ['The resolution is not valid', 'InvalidParameter']);
  assert.equal(statusOf('FAILED', { code: 'InternalError' })?.failReason, 'InternalError');
  const outside = video.readTask(json({ code: 'X', message: 'outside', output: { task_status: 'FAILED' } }));
  assert.deepEqual([outside?.failReason, outside?.failCode], ['outside', 'X']);
});

test('a channel is tested by a look that makes nothing', () => {
  const { test: look } = alphaVideo;
  assert.ok('look' in look);
  assert.equal(look.look, '/api/v1/tasks/00000000-0000-0000-0000-000000000000');
  assert.equal(look.isAnswer(json({ output: { task_status: 'UNKNOWN' } })), true);
  assert.equal(look.isAnswer(json({ ok: true })), false);
  assert.deepEqual(alphaVideo.endpointTypes, ['compat-video']);
});
