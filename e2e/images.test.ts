// Images made and edited through the gateway: with the vendor's own client, with failing channels, with wrong requests; and
// what each costs (spec 2.8, 4.4).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { postChat, readError } from './support/chat.ts';
import { assertCharged, moneyOf } from './support/endpoint-checks.ts';
import { type Field, fileOf, filesOf, lastRequest, picture, postForm, sdkOf, sha256 } from './support/media.ts';
import { nano, requestOf } from './support/money.ts';
import { sendJson, startStub } from './support/stub.ts';
import { waitUntil } from './support/wait.ts';
import { makeChannel, makeWorld, suiteGateway, uniqueName, type World } from './support/world.ts';

const price = { unit: 'image', amount: '0.04', by: { '1024x1024/hd': '0.08', '256x256': '0.01' } } as const;
const perImage = { model: { price } } as const;
const GENERATIONS = '/v1/images/generations';

function pngSize(base64: string | undefined): [number, number] {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

function post(world: World, body: Record<string, unknown>, signal?: AbortSignal): Promise<Response> {
  const text = JSON.stringify({ model: world.model, ...body });
  return postChat(world, text, { path: GENERATIONS, ...(signal !== undefined && { signal }) });
}

describe('image generation', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_SECRET: 'a-secret-of-the-tests' } });

  test('gives images as base64 and as addresses, charged by size and quality', async (t) => {
    const world = await makeWorld(gateway, t, perImage);
    const { images } = sdkOf(world);
    const { model } = world;
    const made = await images.generate({ model, prompt: 'a', n: 2, size: '256x256', response_format: 'b64_json' });
    assert.equal(made.data?.length, 2);
    assert.deepEqual(pngSize(made.data?.[0]?.b64_json), [256, 256]);
    const first = await lastRequest(world);
    assert.deepEqual([first.charge, first.arithmetic], ['0.02', '2 images of 256x256 x 0.01']);

    const linked = await images.generate({ model, prompt: 'b', size: '1024x1024', quality: 'hd' });
    assert.match(linked.data?.[0]?.url ?? '', /^http/);
    assert.match(linked.data?.[0]?.revised_prompt ?? '', /for: b/);
    assert.equal((await lastRequest(world)).arithmetic, '1 images of 1024x1024/hd x 0.08');
    await images.generate({ model, prompt: 'c' });
    const plain = await lastRequest(world);
    assert.deepEqual([plain.charge, plain.arithmetic, plain.endpoint], ['0.04', '1 images x 0.04', GENERATIONS]);
  });

  test('is charged by tokens where the model counts them, images as image output', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [] });
    const model = `sandbox-${uniqueName('image')}`;
    const tokens = { unit: 'tokens', input: '5', output: '10', image_output: '40' };
    await gateway.operator('PUT', `/models/${model}`, { price: tokens });
    await makeChannel(gateway, { [model]: 'gpt-image-1' });
    const { usage } = await sdkOf(world).images.generate({ model, prompt: 'a red fox', quality: 'low' });
    assert.ok(usage);
    const { charge, arithmetic, usage_source } = await lastRequest(world);
    assert.equal(nano(charge), BigInt(usage.input_tokens) * 5_000n + BigInt(usage.output_tokens) * 40_000n);
    assert.match(arithmetic ?? '', new RegExp(`${usage.output_tokens} image_output x 40`));
    assert.equal(usage_source, 'upstream');
  });

  test('streams sketches and the finished image', async (t) => {
    const world = await makeWorld(gateway, t, perImage);
    const options = { model: world.model, prompt: 'a', size: '256x256', partial_images: 2, stream: true } as const;
    const types: string[] = [];
    for await (const event of await sdkOf(world).images.generate(options)) {
      types.push(event.type);
      assert.deepEqual(pngSize(event.b64_json), [256, 256]);
    }
    const sketch = 'image_generation.partial_image';
    assert.deepEqual(types, [sketch, sketch, 'image_generation.completed']);
    assert.equal((await lastRequest(world)).arithmetic, '1 images of 256x256 x 0.01');

    types.length = 0;
    for await (const event of await sdkOf(world).images.generate({ ...options, n: 2, partial_images: 1 }))
      types.push(event.type);
    assert.equal(types.filter((type) => type.endsWith('completed')).length, 2);
    assert.equal((await lastRequest(world)).charge, '0.02');
  });

  test('comes whole from an upstream that does not stream, charged as a whole answer and held against nobody', async (t) => {
    const type = 'Application/JSON; Charset=UTF-8';
    const body = JSON.stringify({ created: 1, data: [{ url: 'https://a.b/1.png' }, { url: 'https://a.b/2.png' }] });
    const base_url = await startStub(t, (_, response) => response.writeHead(200, { 'content-type': type }).end(body));
    const options = { prompt: 'a', size: '256x256', n: 2, stream: true };
    const world = await makeWorld(gateway, t, { ...perImage, channels: [{ base_url, priority: 9 }, {}] });
    // More calls than failures of a channel would be forgiven.
    for (let call = 0; call < 7; call++) {
      const response = await post(world, options);
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, type]);
      assert.equal(await response.text(), body);
      const { arithmetic, attempts, usage_source } = await assertCharged(world, response, nano('0.02'));
      assert.deepEqual([arithmetic, usage_source], ['2 images of 256x256 x 0.01', 'counted']);
      const outcomes = attempts.map(({ channel_id, status, error }) => [channel_id, status, error]);
      assert.deepEqual(outcomes, [[world.channels[0]?.id, 200, null]]);
    }
  });

  test('that comes whole must be images: anything else moves to the next channel', async (t) => {
    for (const answer of [{ data: 'none' }, { error: { message: 'busy' } }]) {
      const base_url = await startStub(t, (_, response) => sendJson(response, 200, answer));
      const world = await makeWorld(gateway, t, { ...perImage, channels: [{ base_url, priority: 9 }, {}] });
      const response = await post(world, { prompt: 'a', size: '256x256', stream: true });
      assert.match(await response.text(), /image_generation\.completed/);
      const { attempts } = await assertCharged(world, response, nano('0.01'));
      const errors = attempts.map(({ error }) => error);
      assert.deepEqual(errors, ['malformed', null]);
    }
  });

  test('that comes whole after a comment has begun the stream ends with an error and costs nothing', async (t) => {
    const body = JSON.stringify({ data: [{ url: 'https://a.b/1.png' }] });
    const late = await startStub(t, (_, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), 16_500);
    });
    const slow = await startStub(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(body.slice(0, 9));
      setTimeout(() => response.end(body.slice(9)), 16_500);
    });
    const worlds = [late, slow].map((base_url) => makeWorld(gateway, t, { ...perImage, channels: [{ base_url }] }));
    const [tooLate, inTime] = await Promise.all(worlds);
    assert.ok(tooLate && inTime);
    const [broken, whole] = await Promise.all([tooLate, inTime].map((one) => post(one, { prompt: 'a', stream: true })));
    assert.ok(broken && whole);
    assert.match(
      await broken.text(),
      /^: keep-alive\n\nevent: error\ndata: \{"type":"error","error":\{[^\n]*"code":"upstream_error"\}\}\n\n$/,
    );
    const { hold, settle, release } = await moneyOf(tooLate);
    assert.ok(hold !== undefined && hold > 0n);
    assert.deepEqual([settle, release], [undefined, hold]);
    const { charge, error_code, attempts } = await requestOf(gateway, broken);
    assert.deepEqual([charge, error_code, attempts[0]?.error], ['0', 'upstream_error', null]);
    // A head that came in time says that no events will: its body may take longer.
    assert.equal(await whole.text(), body);
    await assertCharged(inTime, whole, nano('0.04'));
  });

  test('has its last event although the upstream did not close it', async (t) => {
    const event = 'event: image_generation.completed\ndata: {"b64_json":"AAAA"}';
    const base_url = await startStub(t, (_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event),
    );
    const world = await makeWorld(gateway, t, { ...perImage, channels: [{ base_url }] });
    const response = await post(world, { prompt: 'a', stream: true });
    assert.equal(await response.text(), `${event}\n\n`);
    await assertCharged(world, response, nano('0.04'));
  });

  test('passes every field on as it came', async (t) => {
    const world = await makeWorld(gateway, t, { ...perImage, channels: [{ options: { drop_fields: ['style'] } }] });
    const extra = `"background": "opaque" ,"watermark":false, "unknown":[1.0,{"a":null}]`;
    const body = `{"prompt":"p", ${extra} ,"style":"vivid","model":"${world.model}"}`;
    assert.equal((await postChat(world, body, { path: GENERATIONS })).status, 200);
    assert.equal(world.calls()[0]?.rawBody, `{"prompt":"p", ${extra} ,"model":"${world.model}.0"}`);
  });

  test('moves to the next channel when one fails, streamed or not', async (t) => {
    for (const behave of ['fail-500', 'garbage', 'error-event', 'empty', 'truncated']) {
      const world = await makeWorld(gateway, t, { ...perImage, channels: [{ behave, priority: 9 }, {}] });
      const made = await sdkOf(world).images.generate({ model: world.model, prompt: 'a', size: '256x256' });
      assert.equal(made.data?.length, 1, behave);
      assert.deepEqual([world.calls(0).length, world.calls(1).length], [1, 1], behave);
      const { attempts, charge } = await lastRequest(world);
      assert.deepEqual([attempts.length, charge], [2, '0.01']);
      const stream = await sdkOf(world).images.generate({
        model: world.model,
        prompt: 'a',
        size: '256x256',
        stream: true,
      });
      const types: string[] = [];
      for await (const { type } of stream) types.push(type);
      assert.deepEqual(types, ['image_generation.completed'], behave);
    }
  });

  test('names what is missing or wrong, and costs nothing', async (t) => {
    const world = await makeWorld(gateway, t, perImage);
    const refuses = async (body: Record<string, unknown>, param: string): Promise<string> => {
      const error = await readError(await post(world, { prompt: 'p', ...body }), 400, 'invalid_request');
      assert.equal(error.param, param);
      return error.message;
    };
    await refuses({ prompt: undefined }, 'prompt');
    await refuses({ model: undefined }, 'model');
    await refuses({ n: 0 }, 'n');
    await refuses({ n: 'two' }, 'n');
    await refuses({ stream: 1 }, 'stream');
    await refuses({ watermark: 'false' }, 'watermark');
    assert.match(await refuses({ size: '1024\u00d71024' }, 'size'), /letter x/);
    const doubled = `{"model":"${world.model}","prompt":"p","n":1,"n":2}`;
    await readError(await postChat(world, doubled, { path: GENERATIONS }), 400, 'invalid_request');
    const plain = { path: GENERATIONS, headers: { 'content-type': 'text/plain' } };
    await readError(await postChat(world, '{}', plain), 415, 'unsupported_media_type');
    assert.equal(world.calls().length, 0);
  });

  test('tells a stream that breaks in its own protocol, and charges no more than was asked for', async (t) => {
    const world = await makeWorld(gateway, t, { ...perImage, channels: [{ behave: 'cut-1' }] });
    const options = { model: world.model, prompt: 'a', size: '256x256', partial_images: 3, stream: true } as const;
    await assert.rejects(
      async () => {
        for await (const _ of await sdkOf(world).images.generate(options));
      },
      (error) => error instanceof OpenAI.APIError && error.code === 'upstream_error',
    );
    assert.ok(nano((await lastRequest(world)).charge) <= nano('0.01'));
  });

  test('ends the upstream call when the client leaves, and charges the images asked for (promise M-07)', async (t) => {
    const world = await makeWorld(gateway, t, { ...perImage, channels: [{ behave: 'slow-600000' }] });
    const leaving = new AbortController();
    const asked = post(world, { prompt: 'p' }, leaving.signal);
    await waitUntil(() => world.calls().length === 1, 'the upstream was not called');
    leaving.abort();
    await assert.rejects(asked);
    await waitUntil(() => world.calls()[0]?.aborted === true, 'the upstream was not cancelled');
    await waitUntil(async () => (await lastRequest(world)).error_code === 'client_gone', 'it was not logged');
    assert.equal((await lastRequest(world)).charge, '0.04');
  });
});

describe('image edits', async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_SECRET: 'a-secret-of-the-tests' } });

  test('name their images by address, at both paths (spec 9 rule 4)', async (t) => {
    const world = await makeWorld(gateway, t, perImage);
    for (const path of ['/v1/images/edits', '/v1/edits']) {
      const body = { model: world.model, prompt: 'p', image: ['https://example.com/a.png'], mask: 'https://a.b/m.png' };
      const response = await postChat(world, JSON.stringify(body), { path });
      assert.equal(response.status, 200, await response.text());
      const call = world.calls().at(-1);
      assert.match(call?.path ?? '', /\/v1\/images\/edits$/);
      assert.deepEqual(call?.body, { ...body, model: `${world.model}.0` });
      assert.equal((await lastRequest(world)).charge, '0.04');
    }
    const text = JSON.stringify({ model: world.model, prompt: 'p' });
    const error = await readError(await postChat(world, text, { path: '/v1/images/edits' }), 400, 'invalid_request');
    assert.equal(error.param, 'image');
  });

  test('carry pictures as data URLs in a form, larger than other fields may be, and leave out empty fields', async (t) => {
    const world = await makeWorld(gateway, t, { ...perImage, channels: [{ behave: 'fail-500', priority: 9 }, {}] });
    const url = `data:image/png;base64,${picture(1_500_000).toString('base64')}`;
    const empty = ['n', 'size', 'response_format', 'language'].map((name): Field => [name, '']);
    const fields: Field[] = [
      ['model', world.model],
      ['prompt', 'p'],
      ['watermark', 'true'],
      ['image[]', url],
      ...empty,
    ];
    const response = await postForm(world, '/v1/images/edits', fields);
    assert.equal(response.status, 200, await response.text());
    for (const channel of [0, 1]) {
      const body = world.calls(channel).at(-1)?.body as Record<string, unknown>;
      assert.deepEqual(Object.keys(body).sort(), ['files', 'image[]', 'model', 'prompt', 'watermark']);
      assert.deepEqual(body['image[]'], [url]);
    }
    assert.equal((await lastRequest(world)).charge, '0.04');
    const text = await postForm(world, '/v1/images/edits', [...fields.slice(0, 4), ['user', url]]);
    assert.equal((await readError(text, 400, 'invalid_request')).param, 'user');
    const flag = await postForm(world, '/v1/images/edits', [
      ...fields.slice(0, 2),
      ['watermark', 'on'],
      ['image', url],
    ]);
    assert.equal((await readError(flag, 400, 'invalid_request')).param, 'watermark');
  });

  test('carry several files, a mask and a stream with the vendor client', async (t) => {
    const world = await makeWorld(gateway, t, perImage);
    const [one, two, mask] = [picture(), picture(), picture()];
    const image = [fileOf(one, 'one.png', 'image/png'), fileOf(two, 'two.png', 'image/png')];
    const options = { model: world.model, prompt: 'p', size: '256x256', image } as const;
    const edited = await sdkOf(world).images.edit({ ...options, mask: fileOf(mask, 'mask.png', 'image/png'), n: 2 });
    assert.equal(edited.data?.length, 2);
    const hashes = filesOf(world.calls().at(-1)).map((file) => file.sha256);
    assert.deepEqual(hashes.toSorted(), [one, two, mask].map(sha256).toSorted());
    assert.equal((await lastRequest(world)).arithmetic, '2 images of 256x256 x 0.01');

    const single = await sdkOf(world).images.edit({ ...options, image: fileOf(one, 'one.png', 'image/png') });
    assert.equal(single.data?.length, 1);
    const types: string[] = [];
    const stream = await sdkOf(world).images.edit({ ...options, partial_images: 1, stream: true });
    for await (const event of stream) types.push(event.type);
    assert.deepEqual(types, ['image_edit.partial_image', 'image_edit.completed']);
  });
});
