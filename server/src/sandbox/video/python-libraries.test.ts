// Requests of the vendors' Python libraries (dashscope 2.0.2, volcengine-ark-runtime 5.0.54), byte for byte as they were
// recorded: both fill in fields that nobody asked for. e2e/python runs the libraries themselves where they are installed.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openVideoSandbox } from './test-video.ts';

type Sandbox = Awaited<ReturnType<typeof openVideoSandbox>>;

async function send(world: Sandbox, path: string, { raw = '', method = 'POST' }: { raw?: string; method?: string }) {
  const isAlpha = path.startsWith('/api/v1/');
  const response = await fetch(world.sandbox.address + path, {
    method,
    headers: {
      authorization: 'Bearer sandbox',
      ...(isAlpha && { accept: 'application/json; charset=utf-8' }),
      ...(isAlpha && raw !== '' && { 'x-dashscope-async': 'enable' }),
      ...(raw !== '' && { 'content-type': isAlpha ? 'application/json; charset=utf-8' : 'application/json' }),
    },
    ...(raw !== '' && { body: raw }),
  });
  return { status: response.status, json: (await response.json()) as Record<string, Record<string, unknown>> };
}

describe('dashscope', async () => {
  const world = await openVideoSandbox('alpha');
  after(() => world.sandbox.stop());
  const path = '/api/v1/services/aigc/video-generation/video-synthesis';
  const bodies = {
    'text to video':
      '{"model": "happyhorse-1.0-t2v", "parameters": {"duration": 5, "seed": 0, "watermark": false, "resolution": "720P", "ratio": "16:9"}, "input": {"prompt": "A boat [[task-polls 3]]", "extend_prompt": true, "function": "video-synthesis"}}',
    'a first frame by img_url':
      '{"model": "happyhorse-1.0-i2v", "parameters": {"resolution": "720P"}, "input": {"prompt": "It moves [[task-polls 1]]", "extend_prompt": true, "function": "video-synthesis", "img_url": "https://example.com/first.png"}}',
    'references in media':
      '{"model": "happyhorse-1.0-r2v", "parameters": {}, "input": {"prompt": "Both [[task-polls 1]]", "extend_prompt": true, "function": "video-synthesis", "media": [{"type": "reference_image", "url": "https://example.com/first.png"}, {"type": "reference_image", "url": "https://example.com/first.png"}]}}',
  };
  for (const [name, raw] of Object.entries(bodies))
    test(`${name} is accepted as it comes`, async () => {
      const { status, json } = await send(world, path, { raw });
      assert.equal(status, 200, JSON.stringify(json));
      assert.equal(json['output']?.['task_status'], 'PENDING');
    });

  test('cancels without a body, then sees the task cancelled and in the list', async () => {
    const raw =
      '{"model": "happyhorse-1.0-t2v", "parameters": {}, "input": {"prompt": "Wait [[task-queued]]", "extend_prompt": true, "function": "video-synthesis"}}';
    const id = String((await send(world, path, { raw })).json['output']?.['task_id']);
    assert.equal((await send(world, `/api/v1/tasks/${id}/cancel`, {})).status, 200);
    const { json } = await send(world, `/api/v1/tasks/${id}`, { method: 'GET' });
    assert.equal(json['output']?.['task_status'], 'CANCELED');
    const query = 'page_no=1&page_size=10&model_name=happyhorse-1.0-t2v';
    const listed = await send(world, `/api/v1/tasks?${query}`, { method: 'GET' });
    assert.ok(JSON.stringify(listed.json).includes(id));
  });

  test('is still refused what a model does not take', async () => {
    const frame = '"img_url": "https://example.com/first.png"';
    for (const [model, input] of [
      ['happyhorse-1.0-t2v', frame],
      ['happyhorse-1.0-i2v', `${frame}, "media": [{"type": "first_frame", "url": "https://example.com/first.png"}]`],
      ['happyhorse-1.0-i2v', '"img_url": "no address"'],
      ['happyhorse-1.0-t2v', '"template": "flying"'],
    ]) {
      const raw = `{"model": "${model}", "parameters": {}, "input": {"prompt": "A boat", ${input}}}`;
      assert.equal((await send(world, path, { raw })).status, 400, raw);
    }
  });
});

describe('volcengine-ark-runtime', async () => {
  const world = await openVideoSandbox('beta-video');
  after(() => world.sandbox.stop());
  const path = '/api/v3/contents/generations/tasks';
  const plain = (text: string, duration = 'null') =>
    `{"model":"doubao-seedance-1-5-pro-251215","content":[{"type":"text","text":"${text}"}],"safety_identifier":null,"callback_url":null,"return_last_frame":null,"service_tier":null,"execution_expires_after":null,"priority":null,"generate_audio":null,"draft":null,"camera_fixed":null,"watermark":null,"seed":null,"resolution":null,"ratio":null,"duration":${duration},"frames":null,"tools":null,"output_format":null,"omni_reference_task_type":null}`;
  const full =
    '{"model":"doubao-seedance-1-5-pro-251215","content":[{"type":"text","text":"It moves [[task-polls 1]]"},{"type":"image_url","image_url":{"url":"https://example.com/first.png"},"role":"first_frame"}],"safety_identifier":null,"callback_url":null,"return_last_frame":true,"service_tier":"default","execution_expires_after":3600,"priority":null,"generate_audio":false,"draft":null,"camera_fixed":false,"watermark":false,"seed":-1,"resolution":"480p","ratio":"16:9","duration":5,"frames":null,"tools":null,"output_format":"mp4","omni_reference_task_type":null}';
  const create = async (raw: string): Promise<string> => {
    const { status, json } = await send(world, path, { raw });
    assert.equal(status, 200, JSON.stringify(json));
    return String((json as { id?: unknown }).id);
  };

  test('nulls count as absent: the task has the defaults', async () => {
    const id = await create(plain('A boat [[task-polls 1]]'));
    const { json } = await send(world, `${path}/${id}`, { method: 'GET' });
    assert.partialDeepStrictEqual(json, {
      status: 'succeeded',
      resolution: '720p',
      duration: 5,
      service_tier: 'default',
    });
    assert.ok(!('output_format' in json) && !('priority' in json));
  });

  test('a task with every field repeats its output_format', async () => {
    const id = await create(full);
    const { json } = await send(world, `${path}/${id}`, { method: 'GET' });
    assert.partialDeepStrictEqual(json, { status: 'succeeded', resolution: '480p', output_format: 'mp4' });
    assert.match(String(json['content']?.['last_frame_url']), /^http/);
  });

  test('deletes with an empty object: a waiting task is cancelled, an ended one is gone', async () => {
    const waiting = await create(plain('Wait [[task-queued]]'));
    assert.equal((await send(world, `${path}/${waiting}`, { method: 'DELETE', raw: '{}' })).status, 200);
    assert.equal((await send(world, `${path}/${waiting}`, { method: 'GET' })).json['status'], 'cancelled');
    const ended = await create(plain('A boat [[task-polls 1]]'));
    await send(world, `${path}/${ended}`, { method: 'GET' });
    const query = `page_num=1&page_size=10&filter.status=succeeded&filter.task_ids=${waiting}&filter.task_ids=${ended}`;
    assert.equal((await send(world, `${path}?${query}`, { method: 'GET' })).json['total'], 1);
    assert.equal((await send(world, `${path}/${ended}`, { method: 'DELETE', raw: '{}' })).status, 200);
    assert.equal((await send(world, `${path}/${ended}`, { method: 'GET' })).status, 404);
  });

  test('values are checked as before', async () => {
    const { status, json } = await send(world, path, { raw: plain('A boat', '99') });
    assert.deepEqual([status, json['error']?.['param']], [400, 'duration']);
  });
});
