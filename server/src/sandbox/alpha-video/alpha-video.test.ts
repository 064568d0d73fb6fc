import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CallOptions } from '../test-client.ts';
import { openVideoSandbox, type Wire } from '../video/test-video.ts';

const { sandbox, submit, look, ask, pass } = await openVideoSandbox('alpha');
after(() => sandbox.stop());

const body = (kind: string, prompt: string, parameters: Wire = {}, media?: Wire[]): Wire => ({
  model: `happyhorse-${kind}`,
  input: { prompt, ...(media === undefined ? {} : { media }) },
  parameters,
});
const item = (type: string, url = 'https://media.test/a.png'): Wire => ({ type, url });
const items = (type: string, count: number): Wire[] => Array.from({ length: count }, () => item(type));
const output = ({ json }: { json: Wire }): Wire => json['output'] as Wire;
const create = async (given: Wire, options: CallOptions = {}): Promise<string> =>
  String(output(await submit(given, options))['task_id']);
const poll = (id: string, options: CallOptions = {}) => look(`/api/v1/tasks/${id}`, options);
const pollState = async (id: string): Promise<unknown> => output(await poll(id))['task_status'];

test('a channel’s address has no path, directives included', () => {
  assert.equal(sandbox.baseUrl('alpha'), sandbox.address);
  assert.equal(sandbox.baseUrl('alpha', 'poll-error'), `${sandbox.address}/behave/poll-error`);
});

test('a create without the async header is refused with 403 AccessDenied', async () => {
  const got = await submit(body('1.0-t2v', 'a cat'), { headers: {} });
  assert.deepEqual([got.status, got.json['code']], [403, 'AccessDenied']);
  assert.equal(sandbox.tasks().length, 0);
});

test('a task goes from PENDING over RUNNING to SUCCEEDED, with whole seconds as usage', async () => {
  const got = await submit(body('1.1-t2v', 'a cat', { resolution: '720P', duration: 6, ratio: '9:16', seed: 0 }));
  assert.equal(got.status, 200);
  assert.equal(output(got)['task_status'], 'PENDING');
  assert.equal(typeof got.json['request_id'], 'string');
  const id = String(output(got)['task_id']);
  assert.deepEqual(output(await poll(id)), {
    task_id: id,
    task_status: 'PENDING',
    submit_time: '2026-04-20 19:33:50.425',
  });
  pass(1500);
  assert.equal(await pollState(id), 'RUNNING');
  pass(1500);
  const { json } = await poll(id);
  assert.deepEqual(json['usage'], {
    duration: 6,
    input_video_duration: 0,
    output_video_duration: 6,
    video_count: 1,
    SR: 720,
    ratio: '9:16',
  });
  const { video_url: url, ...rest } = json['output'] as Wire;
  assert.match(String(url), /^http:\/\/127\.0\.0\.1:\d+\/results\/[0-9a-f]{32}\.mp4\?Expires=\d+&Signature=/);
  assert.partialDeepStrictEqual(rest, {
    task_status: 'SUCCEEDED',
    orig_prompt: 'a cat',
    scheduled_time: '2026-04-20 19:33:51.425',
    end_time: '2026-04-20 19:33:53.425',
  });
});

test('an edit tells fractions: input and output seconds together', async () => {
  const id = await create(body('1.0-video-edit', 'red hat', { audio_setting: 'origin' }, [item('video')]));
  pass(3000);
  const { json } = await poll(id);
  assert.partialDeepStrictEqual(json['usage'], { duration: 13.24, output_video_duration: 6.62, SR: 1080 });
  assert.ok(!('ratio' in (json['usage'] as Wire)));
});

test('media outside the model’s counts and types are refused with 400 InvalidParameter', async () => {
  const wrong: [string, Wire[] | undefined][] = [
    ['1.0-t2v', []],
    ['1.0-t2v', items('first_frame', 1)],
    ['1.0-i2v', undefined],
    ['1.0-i2v', items('first_frame', 2)],
    ['1.0-i2v', items('reference_image', 1)],
    ['1.1-r2v', []],
    ['1.1-r2v', items('reference_image', 10)],
    ['1.1-r2v', items('video', 1)],
    ['1.0-video-edit', items('reference_image', 1)],
    ['1.0-video-edit', items('video', 2)],
    ['1.0-video-edit', [item('video'), ...items('reference_image', 6)]],
    ['1.0-i2v', [item('first_frame', 'not an address')]],
    ['1.0-i2v', [{ ...item('first_frame'), role: 'x' }]],
  ];
  for (const [kind, media] of wrong) {
    const got = await submit(body(kind, 'x', {}, media));
    assert.deepEqual([got.status, got.json['code']], [400, 'InvalidParameter'], JSON.stringify([kind, media]));
  }
  const good: [string, Wire[]][] = [
    ['1.0-i2v', items('first_frame', 1)],
    ['1.1-r2v', items('reference_image', 9)],
    ['1.0-video-edit', [item('video'), ...items('reference_image', 5)]],
  ];
  for (const [kind, media] of good) assert.equal((await submit(body(kind, 'x', {}, media))).status, 200, kind);
});

test('parameters that a model does not have, unknown ones and bad values are refused', async () => {
  const frame = items('first_frame', 1);
  const wrong: Wire[] = [
    body('1.0-i2v', 'x', { ratio: '16:9' }, frame),
    body('1.0-video-edit', 'x', { ratio: '16:9' }, [item('video')]),
    body('1.0-video-edit', 'x', { duration: 5 }, [item('video')]),
    body('1.0-t2v', 'x', { audio_setting: 'auto' }),
    body('1.0-t2v', 'x', { prompt_extend: true }),
    body('1.0-t2v', 'x', { resolution: '720p' }),
    body('1.0-t2v', 'x', { ratio: '4:5' }),
    body('1.0-t2v', 'x', { duration: 2 }),
    body('1.0-t2v', 'x', { duration: '5' }),
    body('1.0-t2v', 'x', { duration: 5.5 }),
    body('1.0-t2v', 'x', { watermark: 'false' }),
    body('1.0-t2v', 'x', { seed: -1 }),
    body('1.0-t2v', ' '),
    { ...body('1.0-t2v', 'x'), size: '1x1' },
    { model: 'happyhorse-1.0-t2v' },
  ];
  for (const given of wrong) {
    const got = await submit(given);
    assert.deepEqual([got.status, got.json['code']], [400, 'InvalidParameter'], JSON.stringify(given));
  }
  assert.equal((await submit(body('1.1-t2v', 'x', { ratio: '4:5', watermark: false }))).status, 200);
  assert.deepEqual((await submit(body('1.1-video-edit', 'x'))).json['code'], 'ModelNotFound');
});

test('keys are asked for in the family’s words', async () => {
  assert.equal((await submit({}, { key: null })).json['code'], 'InvalidApiKey');
  const limited = await submit({}, { key: 'limited' });
  assert.deepEqual([limited.status, limited.json['code']], [429, 'Throttling.RateQuota']);
});

test('a task is seen by its key alone; for others it is UNKNOWN with 200', async () => {
  const id = await create(body('1.0-t2v', 'mine'));
  assert.deepEqual(output(await poll(id, { key: 'other' })), { task_id: id, task_status: 'UNKNOWN' });
  assert.equal((await look('/api/v1/tasks', { key: 'other' })).json['total'], 0);
});

test('only a pending task can be cancelled', async () => {
  const id = await create(body('1.0-t2v', 'x'));
  const cancel = () => ask({ path: `/api/v1/tasks/${id}/cancel`, raw: '' });
  assert.equal((await cancel()).status, 200);
  assert.equal(await pollState(id), 'CANCELED');
  const again = await cancel();
  assert.deepEqual([again.status, again.json['code']], [400, 'UnsupportedOperation']);
});

test('the list has pages and filters', async () => {
  const key = 'lister';
  for (const prompt of ['a', 'b', '[[task-blocked]]']) await submit(body('1.0-t2v', prompt), { key });
  pass(3000);
  const all = (await look('/api/v1/tasks?page_size=2&page_no=2', { key })).json;
  assert.partialDeepStrictEqual(all, { total: 3, total_page: 2, page_no: 2, page_size: 2 });
  assert.equal((all['data'] as Wire[]).length, 1);
  assert.equal((await look('/api/v1/tasks?status=FAILED', { key })).json['total'], 1);
  assert.equal((await look('/api/v1/tasks?page_no=0', { key })).status, 400);
});

test('directives choose the end: blocked, failed, expired, cancelled', async () => {
  const ends: [string, string, string | undefined][] = [
    ['task-blocked', 'FAILED', 'DataInspectionFailed'],
    ['task-fails', 'FAILED', 'InternalError.Algo'],
    ['task-fails-bare', 'FAILED', undefined],
    ['task-expires', 'UNKNOWN', undefined],
    ['task-cancelled', 'CANCELED', undefined],
  ];
  for (const [directive, state, code] of ends) {
    const id = await create(body('1.0-t2v', `x [[${directive}]]`));
    pass(3000);
    const got = await poll(id);
    assert.equal(got.status, 200);
    assert.deepEqual([output(got)['task_status'], output(got)['code']], [state, code], directive);
    assert.ok(!('usage' in got.json));
  }
});

test('usage can be absent or text, the address absent, states be written in other words', async () => {
  const finish = async (directive: string): Promise<Wire> => {
    const id = await create(body('1.0-t2v', `[[${directive}]] [[task-time 0]]`));
    return (await poll(id)).json;
  };
  assert.ok(!('usage' in (await finish('no-usage'))));
  assert.equal((JSON.parse(String((await finish('usage-json'))['usage'])) as Wire)['duration'], 5);
  assert.ok(!('video_url' in ((await finish('no-url'))['output'] as Wire)));
  assert.equal(await pollState(await create(body('1.0-t2v', '[[task-words]]'))), 'SUSPENDED');
});

test('polls are struck as directed, then tell the truth; the task counts them', async () => {
  const strikes: [string, number, string | undefined][] = [
    ['poll-limited', 429, 'Throttling.RateQuota'],
    ['poll-error 2', 500, 'InternalError'],
    ['poll-unauthorised', 401, 'InvalidApiKey'],
    ['poll-bad-gateway', 502, undefined],
    ['poll-garbage', 200, undefined],
  ];
  for (const [directive, status, code] of strikes) {
    const id = await create(body('1.0-t2v', `x [[${directive}]] [[task-time 0]]`));
    const times = Number(directive.split(' ')[1] ?? 1);
    for (let time = 0; time < times; time += 1) {
      const got = await poll(id);
      assert.deepEqual([got.status, got.json['code']], [status, code], directive);
      assert.ok(!('output' in got.json));
    }
    assert.equal(await pollState(id), 'SUCCEEDED', directive);
    assert.equal(sandbox.tasks().find((task) => task.id === id)?.polls, times + 1);
  }
  const missing = await create(body('1.0-t2v', '[[poll-missing]]'));
  assert.deepEqual([await pollState(missing), await pollState(missing)], ['UNKNOWN', 'PENDING']);
  const odd = await create(body('1.0-t2v', '[[poll-odd-state]]'));
  assert.deepEqual([await pollState(odd), await pollState(odd)], ['RESCHEDULING', 'PENDING']);
  const always = await create(body('1.0-t2v', '[[poll-reset 0]]'));
  for (let time = 0; time < 3; time += 1) await assert.rejects(poll(always));
});

test('a poll fault in the base address strikes tasks that were made without it', async () => {
  const id = await create(body('1.0-t2v', 'x'));
  assert.equal((await poll(id, { directive: 'poll-error-0' })).status, 500);
  assert.equal((await poll(id)).status, 200);
});

test('an answer can be lost, hang, fail or lack its id, and the task exists in every case', async () => {
  const before = sandbox.tasks().length;
  await assert.rejects(submit(body('1.0-t2v', 'lost [[lose-answer]]')));
  assert.partialDeepStrictEqual(sandbox.records.at(-1), { task: sandbox.tasks().at(-1)?.id, status: null });
  assert.equal((await submit(body('1.0-t2v', '[[accept-fail 503]]'))).status, 503);
  assert.equal(output(await submit(body('1.0-t2v', '[[no-id]]')))['task_id'], '');
  assert.equal(sandbox.tasks().length, before + 3);
  const blocked = await submit(body('1.0-t2v', '[[input-blocked]]'));
  assert.deepEqual([blocked.status, blocked.json['code']], [400, 'DataInspectionFailed']);
  for (const status of [400, 401, 429, 500]) {
    assert.equal((await submit(body('1.0-t2v', `[[fail ${status}]]`))).status, status);
  }
  assert.equal(sandbox.tasks().length, before + 3);
});

test('a task can go by polls instead of time, or never end', async () => {
  const id = await create(body('1.0-t2v', '[[task-polls 3]]'));
  assert.deepEqual(
    [await pollState(id), await pollState(id), await pollState(id)],
    ['PENDING', 'RUNNING', 'SUCCEEDED'],
  );
  const queued = await create(body('1.0-t2v', '[[task-queued]]'));
  const running = await create(body('1.0-t2v', '[[task-running]]'));
  pass(3_600_000);
  assert.deepEqual([await pollState(queued), await pollState(running)], ['PENDING', 'RUNNING']);
});

test('tasks and what made them are read over HTTP', async () => {
  const given = body('1.0-t2v', 'to be found', { duration: 7 });
  const id = await create(given);
  await poll(id);
  const { tasks } = (await (await fetch(`${sandbox.address}/_sandbox/tasks`)).json()) as { tasks: Wire[] };
  const task = tasks.find((one) => one['id'] === id);
  assert.partialDeepStrictEqual(task, { family: 'alpha', prompt: 'to be found', state: 'queued', polls: 1 });
  const made = sandbox.records.find((record) => record.id === task?.['recordId']);
  assert.deepEqual([made?.body, made?.task], [given, id]);
});
