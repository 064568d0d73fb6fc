// What becomes of a submit: taken, refused, lost or not paid for; never sent twice to be sure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balanceOf, nano, requestOf, requestsOf } from './support/money.ts';
import {
  call,
  makeVideoWorld,
  onEveryGateway,
  submit,
  submitted,
  taskOf,
  untilStatus,
  wrapperOf,
} from './support/videos.ts';
import { pause } from './support/wait.ts';
import { makeChannel, uniqueName } from './support/world.ts';

/** 108,900 tokens at 7 per million. */
const CHARGE = nano('0.7623');

onEveryGateway((gateway) => {
  for (const lost of ['reset', 'no-id', 'bare-502'] as const) {
    test(`a submit whose answer is lost (${lost}) is never sent again, and is found with the provider (FT-24)`, async (t) => {
      const world = await makeVideoWorld(gateway(), t, { channels: [{}, { priority: -1 }] });
      world.stub.submit = lost;
      const id = await submitted(world);
      assert.equal((await wrapperOf(world, id)).status, 'SUBMITTED');
      await untilStatus(world, id, 'SUCCESS', 10_000);
      assert.equal(world.stub.submits, 1);
      const [line] = await requestsOf(world.gateway, { account_id: world.account.id });
      assert.deepEqual([line?.status, line?.attempts.length, nano(line?.charge ?? '0')], [200, 1, CHARGE]);
    });
  }

  test('two lost submits of one moment cannot be distinguished: both wait, and neither takes the other', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    world.stub.submit = 'reset';
    const ids = await Promise.all([submitted(world), submitted(world)]);
    await pause(500);
    for (const id of ids) {
      assert.equal((await wrapperOf(world, id)).status, 'SUBMITTED');
      assert.equal((await taskOf(world, id)).state, 'SUBMIT_UNKNOWN');
    }
    assert.equal(world.stub.submits, 2);
    for (const id of ids) assert.equal((await call(world, 'DELETE', `/v1/videos/${id}`)).status, 200);
    assert.equal(await balanceOf(world.gateway, world.account.id), '100');
  });

  for (const refusal of [401, 429, 500] as const) {
    test(`a submit that was surely refused (${refusal}) goes to the next channel`, async (t) => {
      const world = await makeVideoWorld(gateway(), t);
      const other = await makeVideoWorld(gateway(), t);
      await world.gateway.operator('POST', '/channels', {
        name: uniqueName('second'),
        provider: 'beta-video',
        base_url: other.stub.baseUrl,
        keys: ['second-key'],
        models: { [world.model]: 'second-model' },
        priority: -1,
      });
      world.stub.submit = refusal;
      const id = await submitted(world);
      await untilStatus(world, id, 'SUCCESS');
      const [made] = other.stub.tasks.values();
      assert.deepEqual([world.stub.submits, other.stub.submits, made?.body.model], [1, 1, 'second-model']);
    });
  }

  test('a refused content is an error for the caller, costs nothing and shows no task', async (t) => {
    const world = await makeVideoWorld(gateway(), t, { channels: [{}, { priority: -1 }] });
    world.stub.submit = 400;
    const response = await submit(world);
    const body = (await response.json()) as { code: string; message: string; data: null; error: { code: string } };
    assert.deepEqual([response.status, body.code, body.error.code, body.data], [400, 'Stub400', 'Stub400', null]);
    assert.equal(world.stub.submits, 1);
    assert.equal(await balanceOf(world.gateway, world.account.id), '100');
    const list = (await (await call(world, 'GET', '/v1/videos')).json()) as { data: unknown[] };
    assert.deepEqual(list.data, []);
    const logged = await requestOf(world.gateway, response);
    assert.deepEqual([logged.status, logged.error_code], [400, 'Stub400']);
  });

  test('what is not sent to the provider is named in the answer, and refused where the caller is strict', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    const options = {
      size: '1280x720',
      resolution: '720p',
      seconds: '9',
      metadata: { duration: 6, style: 'oil, dry' },
    };
    const response = await submit(world, options);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('x-tollgate-dropped'), 'resolution, seconds, size, metadata.style');
    const { id } = (await response.json()) as { id: string };
    const video = (await (await call(world, 'GET', `/v1/videos/${id}`)).json()) as Record<string, unknown>;
    assert.deepEqual([video['size'], video['seconds']], [null, '6']);
    const whole = await submit(world, { metadata: { duration: 6 } });
    assert.deepEqual([whole.status, whole.headers.get('x-tollgate-dropped')], [200, null]);

    const strict = (path: string): Promise<Response> =>
      call(world, 'POST', path, {
        headers: { 'content-type': 'application/json', 'x-tollgate-strict': 'true' },
        body: JSON.stringify({ model: world.model, prompt: 'a boat', ...options }),
      });
    for (const path of ['/v1/video/generations', '/v1/videos']) {
      const refused = await strict(path);
      const { error } = (await refused.json()) as { error: { param: string; message: string } };
      assert.deepEqual([refused.status, error.param], [400, 'resolution']);
      // On /v1/videos the size is taken (contract-2 7).
      assert.match(error.message, path === '/v1/videos' ? /'seconds', 'metadata.style'/ : /'size'.*'metadata.style'/);
    }
    assert.equal(world.stub.submits, 2);
  });

  test('what the provider says of its model is said of the one that the caller knows', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    world.stub.failure = `The model ${world.model}.0 does not draw that. Request id: 0217`;
    world.stub.script = ['failed'];
    const { fail_reason } = await untilStatus(world, await submitted(world), 'FAILURE');
    assert.equal(fail_reason, `The model ${world.model} does not draw that. Request id: 0217`);
    world.stub.submit = 400;
    const { message } = (await (await submit(world)).json()) as { message: string };
    assert.equal(message, `The stub refuses with 400 by ${world.model}.`);
  });

  test('what cannot be paid is not submitted', async (t) => {
    const world = await makeVideoWorld(gateway(), t, { credit: '0.0001' });
    const response = await submit(world);
    const body = (await response.json()) as { code: string; error: { code: string; message: string } };
    assert.deepEqual([response.status, body.code], [402, 'insufficient_quota']);
    assert.equal(world.stub.submits, 0);
  });

  test('what a vendor keeps under a shared key is 404 for all but channels that share it, before money is held (contract-2 7)', async (t) => {
    const metadata = { content: [{ type: 'image_url', image_url: { url: 'asset://a-face' } }] };
    const field = 'metadata.content[0].image_url.url';
    const closed = await makeVideoWorld(gateway(), t);
    const refused = await submit(closed, { metadata });
    const { code, message } = (await refused.json()) as { code: string; message: string };
    assert.deepEqual([refused.status, code], [404, 'not_found']);
    assert.ok(message.includes(field), message);
    assert.equal(closed.stub.submits, 0);
    const mixed = await makeVideoWorld(gateway(), t, {
      channels: [{ priority: 1 }, { priority: 0, options: { shared_objects: true } }],
    });
    const taken = await submit(mixed, { metadata });
    assert.equal(taken.status, 200);
    const { id } = (await taken.json()) as { id: string };
    assert.equal((await taskOf(mixed, id)).channel_id, mixed.channels[1]?.id);
    const own = await makeVideoWorld(gateway(), t, { channels: [] });
    const options = { account_id: own.account.id };
    await makeChannel(
      gateway(),
      { [own.model]: 'beta' },
      { provider: 'beta-video', base_url: own.stub.baseUrl, options },
    );
    assert.equal((await submit(own, { metadata })).status, 200);
  });
});
