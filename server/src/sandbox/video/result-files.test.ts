import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { readRange } from './byte-range.ts';
import { openVideoSandbox, type Wire } from './test-video.ts';

const { sandbox, submit, look, pass } = await openVideoSandbox('beta-video');
after(() => sandbox.stop());

const finish = async (prompt: string, fields: Wire = {}): Promise<{ id: string; again: () => Promise<Wire> }> => {
  const content = [{ type: 'text', text: `${prompt} [[task-time 0]]` }];
  const { json } = await submit({ model: 'doubao-seedance-1-5-pro-251215', content, ...fields });
  const id = String(json['id']);
  const again = async () => (await look(`/contents/generations/tasks/${id}`)).json['content'] as Wire;
  return { id, again };
};
const linkOf = async (prompt: string, fields: Wire = {}): Promise<string> =>
  String((await (await finish(prompt, fields)).again())['video_url']);
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

test('the video has the size and the length that were asked for', async () => {
  const response = await fetch(await linkOf('a', { resolution: '480p', ratio: '3:4', duration: 7 }));
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'video/mp4');
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(await bytesOf(response)) });
  const track = await input.getPrimaryVideoTrack();
  assert.deepEqual([track?.displayWidth, track?.displayHeight, await input.computeDuration()], [560, 752, 7]);
});

test('ranges and HEAD are served, with one etag for all', async () => {
  const url = await linkOf('b', { resolution: '480p' });
  const whole = await fetch(url);
  const bytes = await bytesOf(whole);
  const part = await fetch(url, { headers: { range: 'bytes=100-199' } });
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 100-199/${bytes.length}`]);
  assert.deepEqual(await bytesOf(part), bytes.subarray(100, 200));
  const tail = await fetch(url, { headers: { range: 'bytes=-10' } });
  assert.deepEqual(await bytesOf(tail), bytes.subarray(-10));
  const beyond = await fetch(url, { headers: { range: `bytes=${bytes.length}-` } });
  assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${bytes.length}`]);
  const head = await fetch(url, { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), String(bytes.length));
  assert.equal(head.headers.get('accept-ranges'), 'bytes');
  for (const one of [part, tail, head]) assert.equal(one.headers.get('etag'), whole.headers.get('etag'));
  const ignored = await fetch(await linkOf('[[link-no-range]]'), { headers: { range: 'bytes=0-9' } });
  assert.equal(ignored.status, 200);
  await ignored.body?.cancel();
});

test('a Range header is read as RFC 9110 says', () => {
  assert.deepEqual(readRange('bytes=0-', 10), { start: 0, end: 9 });
  assert.deepEqual(readRange('bytes=5-99', 10), { start: 5, end: 9 });
  assert.deepEqual(readRange('bytes=-99', 10), { start: 0, end: 9 });
  assert.equal(readRange('bytes=10-', 10), 'unsatisfiable');
  assert.equal(readRange('bytes=-0', 10), 'unsatisfiable');
  for (const header of [undefined, 'bytes=-', 'bytes=5-4', 'bytes=0-1,4-5', 'pages=1-2']) {
    assert.equal(readRange(header, 10), 'whole');
  }
});

test('a link needs its signature, and ends after 24 hours', async () => {
  const url = await linkOf('c');
  const status = async (address: string): Promise<number> => {
    const response = await fetch(address, { method: 'HEAD' });
    return response.status;
  };
  assert.equal(await status(url.replace('Expires=1', 'Expires=2')), 403);
  assert.equal(await status(url.split('?')[0] ?? ''), 403);
  assert.equal(await status(url.replace(/results\/\w{4}/, 'results/0000')), 404);
  pass(86_399_000);
  assert.equal(await status(url), 200);
  pass(2000);
  assert.equal(await status(url), 403);
});

test('a short-lived link is renewed by the next poll; a deleted video is not', async () => {
  const lives = async (prompt: string): Promise<number[]> => {
    const { again } = await finish(prompt);
    const statuses: number[] = [];
    const first = String((await again())['video_url']);
    pass(2000);
    for (const url of [first, String((await again())['video_url'])]) {
      statuses.push((await fetch(url, { method: 'HEAD' })).status);
    }
    return statuses;
  };
  assert.deepEqual(await lives('[[link-expires 1000]]'), [403, 200]);
  assert.deepEqual(await lives('[[video-expires 1000]]'), [403, 403]);
});

test('a link can fail, redirect to a private address, or break off', async () => {
  const failed = await fetch(await linkOf('[[link-fail 503]]'));
  assert.equal(failed.status, 503);
  const redirected = await fetch(await linkOf('[[link-redirect]]'), { redirect: 'manual' });
  assert.deepEqual(
    [redirected.status, redirected.headers.get('location')?.slice(0, 23)],
    [302, 'http://169.254.169.254/'],
  );
  const cut = await fetch(await linkOf('[[link-cut]]'));
  assert.equal(cut.status, 200);
  await assert.rejects(cut.arrayBuffer());
  const start = performance.now();
  await (await fetch(await linkOf('[[link-slow 200]]'))).arrayBuffer();
  assert.ok(performance.now() - start >= 190);
});

test('the last frame is a PNG, given only when asked for; downloads are counted', async () => {
  const { id, again } = await finish('d', { return_last_frame: true });
  const frame = await fetch(String((await again())['last_frame_url']));
  assert.equal(frame.headers.get('content-type'), 'image/png');
  assert.equal((await bytesOf(frame)).toString('latin1', 1, 4), 'PNG');
  assert.equal(sandbox.tasks().find((task) => task.id === id)?.downloads, 1);
  assert.equal(sandbox.records.findLast((record) => record.path.startsWith('/results/'))?.task, id);
  assert.ok(!('last_frame_url' in (await (await finish('e')).again())));
});
