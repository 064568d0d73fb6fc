import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CallOptions } from '../test-client.ts';
import { openVideoSandbox, type Wire } from '../video/test-video.ts';

const { sandbox, submit, look, ask, pass } = await openVideoSandbox('beta-video');
after(() => sandbox.stop());

const path = '/contents/generations/tasks';
const body = (kind: string, prompt: string, fields: Wire = {}): Wire => ({
  model: `doubao-seedance-${kind}`,
  content: [{ type: 'text', text: prompt }],
  ...fields,
});
const create = async (given: Wire, options: CallOptions = {}): Promise<string> =>
  String((await submit(given, options)).json['id']);
const poll = async (id: string): Promise<Wire> => (await look(`${path}/${id}`)).json;
const finish = async (kind: string, prompt: string, fields: Wire = {}): Promise<Wire> =>
  poll(await create(body(kind, `${prompt} [[task-time 0]]`, fields)));

test('create answers the id alone, and polls go from queued over running to succeeded', async () => {
  assert.equal(sandbox.baseUrl('beta-video'), `${sandbox.address}/api/v3`);
  const got = await submit(body('1-5-pro-251215', 'a boat', { generate_audio: false, seed: 11 }));
  assert.equal(got.status, 200);
  assert.deepEqual(Object.keys(got.json), ['id']);
  const id = String(got.json['id']);
  assert.match(id, /^cgt-20260420\d{6}-[0-9a-f]+$/);
  const queued = await poll(id);
  assert.deepEqual([queued['status'], 'usage' in queued, 'content' in queued], ['queued', false, false]);
  pass(1000);
  assert.equal((await poll(id))['status'], 'running');
  pass(2000);
  const { content, ...done } = await poll(id);
  assert.deepEqual(done, {
    id,
    model: 'doubao-seedance-1-5-pro-251215',
    status: 'succeeded',
    error: null,
    usage: { completion_tokens: 108_900, total_tokens: 108_900 },
    created_at: 1_776_684_830,
    updated_at: 1_776_684_833,
    seed: 11,
    resolution: '720p',
    ratio: '16:9',
    duration: 5,
    framespersecond: 24,
    service_tier: 'default',
    execution_expires_after: 172_800,
    generate_audio: false,
  });
  assert.match(String((content as Wire)['video_url']), /\.mp4\?Expires=/);
});

test('tokens follow pixels and pictures; video input adds its seconds', async () => {
  const tokens = async (kind: string, fields: Wire = {}): Promise<unknown> =>
    ((await finish(kind, 'x', fields))['usage'] as Wire)['total_tokens'];
  assert.equal(await tokens('1-0-pro-250528'), (1920 * 1088 * 121) / 1024);
  assert.equal(await tokens('2-0-260128', { duration: -1 }), Math.floor((1280 * 720 * 193) / 1024));
  assert.equal(await tokens('1-0-pro-250528', { resolution: '720p', frames: 57 }), (1248 * 704 * 57) / 1024);
  const video = { type: 'video_url', video_url: { url: 'https://media.test/a.mp4' }, role: 'reference_video' };
  const content = (directive: string) => [{ type: 'text', text: `x [[task-time 0]] ${directive}` }, video];
  assert.equal(await tokens('2-0-260128', { content: content('') }), (1280 * 720 * 241) / 1024);
  assert.equal(await tokens('2-0-260128', { content: content('[[clip 2000]]') }), (1280 * 720 * 217) / 1024);
});

test('frames are echoed instead of duration, and win over it', async () => {
  const done = await finish('1-0-pro-250528', 'x', { frames: 57, duration: 5 });
  assert.deepEqual([done['frames'], 'duration' in done], [57, false]);
});

test('parameters behind a prompt count for 1.0 and 1.5, unless invalid or said in the body', async () => {
  assert.equal((await finish('1-0-pro-250528', 'x --dur 10 --rs 480p'))['duration'], 10);
  assert.equal((await finish('1-0-pro-250528', 'x --dur 99'))['duration'], 5);
  assert.equal((await finish('1-0-pro-250528', 'x --dur 10', { duration: 4 }))['duration'], 4);
  assert.equal((await finish('2-0-260128', 'x --dur 10'))['duration'], 5);
});

test('fields unknown, of a wrong type, out of range or not of the model are refused by name', async () => {
  const wrong: [string, string, unknown][] = [
    ['1-0-pro-250528', 'size', '1x1'],
    ['1-0-pro-250528', 'duration', '5'],
    ['1-0-pro-250528', 'duration', 13],
    ['1-0-pro-250528', 'duration', -1],
    ['1-5-pro-251215', 'duration', 3],
    ['1-0-pro-250528', 'resolution', '2k'],
    ['1-0-pro-250528', 'resolution', '720P'],
    ['2-0-fast-260128', 'resolution', '1080p'],
    ['1-0-pro-250528', 'ratio', '2:1'],
    ['1-0-pro-250528', 'ratio', 'adaptive'],
    ['1-0-pro-250528', 'frames', 58],
    ['2-0-260128', 'frames', 57],
    ['1-0-pro-250528', 'seed', 4_294_967_296],
    ['1-0-pro-250528', 'watermark', 'true'],
    ['1-0-pro-250528', 'generate_audio', true],
    ['1-0-pro-250528', 'draft', true],
    ['2-0-260128', 'service_tier', 'flex'],
    ['2-0-260128', 'camera_fixed', true],
    ['1-0-pro-250528', 'execution_expires_after', 60],
    ['1-0-pro-250528', 'callback_url', 'nowhere'],
    ['1-0-pro-250528', 'tools', [{ type: 'web_search' }]],
    ['2-0-260128', 'tools', [{ type: 'calculator' }]],
  ];
  for (const [kind, field, value] of wrong) {
    const got = await submit(body(kind, 'x', { [field]: value }));
    const { code, param, type } = got.json['error'] as Wire;
    assert.deepEqual(
      [got.status, code, param, type],
      [400, 'InvalidParameter', field, 'BadRequest'],
      `${kind} ${field}`,
    );
  }
  const good: [string, Wire][] = [
    ['2-0-260128', { resolution: '4k', tools: [{ type: 'web_search' }], camera_fixed: false, draft: false }],
    ['1-0-lite-t2v-250428', { service_tier: 'flex', seed: -1, watermark: false }],
    ['1-5-pro-251215', { duration: -1, ratio: 'adaptive', generate_audio: true }],
  ];
  for (const [kind, fields] of good) assert.equal((await submit(body(kind, 'x', fields))).status, 200, kind);
  const missing = await submit({ model: 'doubao-seedance-1-0-pro-250528' });
  assert.equal((missing.json['error'] as Wire)['code'], 'MissingParameter');
  const unknown = await submit(body('9-9', 'x'));
  assert.deepEqual([unknown.status, (unknown.json['error'] as Wire)['code']], [404, 'InvalidEndpointOrModel.NotFound']);
});

test('errors of keys and directives have the family’s shape', async () => {
  const code = async (options: CallOptions, prompt = 'x'): Promise<unknown[]> => {
    const got = await submit(body('2-0-260128', prompt), options);
    return [got.status, (got.json['error'] as Wire)['code']];
  };
  assert.deepEqual(await code({ key: null }), [401, 'AuthenticationError']);
  assert.deepEqual(await code({ key: 'forbidden' }), [403, 'AccessDenied']);
  assert.deepEqual(await code({}, '[[rate-limited]]'), [429, 'RateLimitExceeded.EndpointRPMExceeded']);
  assert.deepEqual(await code({}, '[[fail 500]]'), [500, 'InternalServiceError']);
  assert.deepEqual(await code({}, '[[input-blocked]]'), [400, 'InputTextSensitiveContentDetected']);
});

test('failures come with 200 and an error object; expired and cancelled are states', async () => {
  const end = async (directive: string): Promise<unknown[]> => {
    const task = await finish('2-0-260128', `[[${directive}]]`);
    return [task['status'], (task['error'] as Wire | undefined)?.['code'], 'usage' in task];
  };
  assert.deepEqual(await end('task-blocked'), ['failed', 'OutputVideoSensitiveContentDetected', false]);
  assert.deepEqual(await end('task-fails'), ['failed', 'InternalServiceError', false]);
  assert.deepEqual(await end('task-fails-bare'), ['failed', undefined, false]);
  assert.deepEqual(await end('task-expires'), ['expired', undefined, false]);
  assert.deepEqual(await end('task-cancelled'), ['cancelled', undefined, false]);
  const stuck = await create(body('2-0-260128', '[[task-running]]', { execution_expires_after: 3600 }));
  pass(3_599_000);
  assert.equal((await poll(stuck))['status'], 'running');
  pass(1000);
  assert.equal((await poll(stuck))['status'], 'expired');
});

test('total_tokens, usage and the address can be missing', async () => {
  assert.deepEqual(Object.keys((await finish('2-0-260128', '[[no-total]]'))['usage'] as Wire), ['completion_tokens']);
  assert.ok(!('usage' in (await finish('2-0-260128', '[[no-usage]]'))));
  assert.deepEqual((await finish('2-0-260128', '[[no-url]]'))['content'], {});
  const searched = await finish('2-0-260128', 'x', { tools: [{ type: 'web_search' }] });
  assert.deepEqual((searched['usage'] as Wire)['tool_usage'], { web_search: 1 });
});

test('delete cancels what is queued, refuses what runs or is cancelled, forgets what has ended', async () => {
  const remove = (id: string) => ask({ method: 'DELETE', path: `${path}/${id}` });
  const queued = await create(body('2-0-260128', 'x'));
  assert.deepEqual([(await remove(queued)).text, (await poll(queued))['status']], ['{}', 'cancelled']);
  assert.equal((await remove(queued)).status, 409);
  const running = await create(body('2-0-260128', 'x'));
  pass(1500);
  assert.equal((await remove(running)).status, 409);
  pass(1500);
  assert.equal((await remove(running)).status, 200);
  const gone = await look(`${path}/${running}`);
  assert.deepEqual([gone.status, (gone.json['error'] as Wire)['code']], [404, 'ResourceNotFound']);
});

test('the list has pages and filters', async () => {
  const key = 'lister';
  const ids: string[] = [];
  for (const prompt of ['a', 'b', '[[task-time 0]]']) ids.push(await create(body('2-0-260128', prompt), { key }));
  const list = async (query: string): Promise<Wire> => (await look(`${path}?${query}`, { key })).json;
  const page = await list('page_num=2&page_size=2');
  assert.deepEqual([page['total'], (page['items'] as Wire[]).map((item) => item['id'])], [3, [ids[0]]]);
  assert.equal((await list('filter.status=succeeded'))['total'], 1);
  assert.equal((await list(`filter.task_ids=${ids[0]}&filter.task_ids=${ids[2]}`))['total'], 2);
  assert.equal((await list('filter.service_tier=flex'))['total'], 0);
  assert.equal((await look(`${path}?page_num=501`, { key })).status, 400);
});

test('a draft is made at 480p for half the tokens, and then made in full', async () => {
  const draft = await finish('1-5-pro-251215', 'x', { draft: true, resolution: '480p' });
  assert.equal((draft['usage'] as Wire)['total_tokens'], Math.floor((864 * 496 * 121) / 1024 / 2));
  const content = [{ type: 'draft_task', draft_task: { id: draft['id'] } }];
  const full = await submit(body('1-5-pro-251215', '', { content, resolution: '720p' }), { directive: 'task-time-0' });
  assert.equal((await poll(String(full.json['id'])))['draft_task_id'], draft['id']);
  const unknown = [{ type: 'draft_task', draft_task: { id: 'cgt-none' } }];
  assert.equal((await submit(body('1-5-pro-251215', '', { content: unknown }))).status, 400);
});

test('polls can be odd: other words, unknown states, no task, no JSON', async () => {
  const words = await create(body('2-0-260128', '[[task-words]] [[poll-odd-state]]'));
  assert.deepEqual([(await poll(words))['status'], (await poll(words))['status']], ['rescheduling', 'pending']);
  const missing = await create(body('2-0-260128', '[[poll-missing]]'));
  assert.deepEqual([(await look(`${path}/${missing}`)).status, (await poll(missing))['status']], [404, 'queued']);
  const gateway = await look(`${path}/${await create(body('2-0-260128', '[[poll-bad-gateway]]'))}`);
  assert.deepEqual([gateway.status, gateway.headers['content-type']], [502, 'text/html']);
});
