// Images made and edited through the gateway: with the vendor's own client, with failing channels, with wrong requests; and
// what each costs (spec 2.8, 4.4).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { postChat, readError } from './support/chat.ts';
import { fileOf, filesOf, lastRequest, picture, sdkOf, sha256 } from './support/media.ts';
import { nano } from './support/money.ts';
import { pause, waitUntil } from './support/wait.ts';
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
    const wish = { model: world.model, prompt: 'a', size: '256x256', partial_images: 2, stream: true } as const;
    const types: string[] = [];
    for await (const event of await sdkOf(world).images.generate(wish)) {
      types.push(event.type);
      assert.deepEqual(pngSize(event.b64_json), [256, 256]);
    }
    const sketch = 'image_generation.partial_image';
    assert.deepEqual(types, [sketch, sketch, 'image_generation.completed']);
    assert.equal((await lastRequest(world)).arithmetic, '1 images of 256x256 x 0.01');

    types.length = 0;
    for await (const event of await sdkOf(world).images.generate({ ...wish, n: 2, partial_images: 1 }))
      types.push(event.type);
    assert.equal(types.filter((type) => type.endsWith('completed')).length, 2);
    assert.equal((await lastRequest(world)).charge, '0.02');
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
    assert.match(await refuses({ size: '1024\u00d71024' }, 'size'), /letter x/);
    const doubled = `{"model":"${world.model}","prompt":"p","n":1,"n":2}`;
    await readError(await postChat(world, doubled, { path: GENERATIONS }), 400, 'invalid_request');
    const plain = { path: GENERATIONS, headers: { 'content-type': 'text/plain' } };
    await readError(await postChat(world, '{}', plain), 415, 'unsupported_media_type');
    assert.equal(world.calls().length, 0);
  });

  test('tells a stream that breaks in its own protocol, and charges no more than was asked for', async (t) => {
    const world = await makeWorld(gateway, t, { ...perImage, channels: [{ behave: 'cut-1' }] });
    const wish = { model: world.model, prompt: 'a', size: '256x256', partial_images: 3, stream: true } as const;
    await assert.rejects(
      async () => {
        for await (const _ of await sdkOf(world).images.generate(wish));
      },
      (error) => error instanceof OpenAI.APIError && error.code === 'upstream_error',
    );
    assert.ok(nano((await lastRequest(world)).charge) <= nano('0.01'));
  });

  test('ends the upstream call when the client leaves, and gives the money back', async (t) => {
    const world = await makeWorld(gateway, t, { ...perImage, channels: [{ behave: 'slow-5000' }] });
    const leaving = new AbortController();
    const asked = post(world, { prompt: 'p' }, leaving.signal);
    await waitUntil(() => world.calls().length === 1, 'the upstream was not called');
    await pause(20);
    leaving.abort();
    await assert.rejects(asked);
    await waitUntil(() => world.calls()[0]?.aborted === true, 'the upstream was not told', 1_500);
    await waitUntil(async () => (await lastRequest(world)).error_code === 'client_gone', 'it was not logged');
    assert.equal((await lastRequest(world)).charge, '0');
  });
});

describe('image edits', async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_SECRET: 'a-secret-of-the-tests' } });

  test('name their images by address, at both paths', async (t) => {
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

  test('carry several files, a mask and a stream with the vendor client', async (t) => {
    const world = await makeWorld(gateway, t, perImage);
    const [one, two, mask] = [picture(), picture(), picture()];
    const image = [fileOf(one, 'one.png', 'image/png'), fileOf(two, 'two.png', 'image/png')];
    const wish = { model: world.model, prompt: 'p', size: '256x256', image } as const;
    const edited = await sdkOf(world).images.edit({ ...wish, mask: fileOf(mask, 'mask.png', 'image/png'), n: 2 });
    assert.equal(edited.data?.length, 2);
    const hashes = filesOf(world.calls().at(-1)).map((file) => file.sha256);
    assert.deepEqual(hashes.toSorted(), [one, two, mask].map(sha256).toSorted());
    assert.equal((await lastRequest(world)).arithmetic, '2 images of 256x256 x 0.01');

    const single = await sdkOf(world).images.edit({ ...wish, image: fileOf(one, 'one.png', 'image/png') });
    assert.equal(single.data?.length, 1);
    const types: string[] = [];
    const stream = await sdkOf(world).images.edit({ ...wish, partial_images: 1, stream: true });
    for await (const event of stream) types.push(event.type);
    assert.deepEqual(types, ['image_edit.partial_image', 'image_edit.completed']);
  });
});
