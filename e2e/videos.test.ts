// The life of a video task, from the submit to its video and its money, judged from outside on both stores.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { readError } from './support/chat.ts';
import { NO_DATABASE_SERVER, type TestGateway } from './support/gateway.ts';
import { balanceOf, ledgerOf, nano, requestOf, requestsOf } from './support/money.ts';
import { VIDEO } from './support/video-stub.ts';
import { call, makeVideoWorld, POLL_MS, submit, submitted, taskOf, untilStatus, wrapperOf } from './support/videos.ts';
import { pause, waitUntil } from './support/wait.ts';
import { makeAccount, makeToken, suiteGateway, uniqueName } from './support/world.ts';

/** 108,900 tokens at 7 per million. */
const CHARGE = nano('0.7623');

function onEveryGateway(suite: (gateway: () => TestGateway) => void): void {
  for (const [name, postgres] of [
    ['SQLite', false],
    ['PostgreSQL', true],
  ] as const) {
    describe(`on ${name}`, { skip: postgres ? NO_DATABASE_SERVER : false }, async () => {
      const gateway = await suiteGateway({
        postgres,
        settings: { TOLLGATE_TASK_POLL_MS: POLL_MS, TOLLGATE_PRIVATE_HOSTS: '127.0.0.1' },
      });
      suite(() => gateway);
    });
  }
}

onEveryGateway((gateway) => {
  test('a task is submitted, polled and settled, and all its faces agree (spec 2.2-2.4, promise V-11)', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    const response = await submit(world, { metadata: { resolution: '720p', duration: 5 } });
    const answer = (await response.json()) as Record<string, unknown>;
    const id = String(answer['id']);
    assert.deepEqual(Object.keys(answer), ['id', 'task_id', 'object', 'model', 'status', 'progress', 'created_at']);
    const { created_at, ...rest } = answer;
    assert.deepEqual(rest, { id, task_id: id, object: 'video', model: world.model, status: 'queued', progress: 0 });
    assert.ok(Math.abs(Number(created_at) - Date.now() / 1000) < 5);
    assert.ok((await balanceOf(world.gateway, world.account.id)) !== '100', 'the hold is taken off');

    const { result_url, progress, fail_reason } = await untilStatus(world, id, 'SUCCESS');
    assert.match(result_url, /^http.*\.mp4\?generation=0$/);
    assert.deepEqual([progress, fail_reason], ['100%', '']);
    const video = (await (await call(world, 'GET', `/v1/videos/${id}`)).json()) as Record<string, unknown>;
    assert.deepEqual(
      [video['url'], video['video_url'], video['metadata']],
      [result_url, result_url, { url: result_url }],
    );
    assert.deepEqual(
      [video['status'], video['progress'], video['seconds'], video['error']],
      ['completed', 100, '5', null],
    );

    const task = await taskOf(world, id);
    assert.deepEqual(
      task.history.map(({ status }) => status),
      ['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS'],
    );
    assert.equal(nano(task.charge ?? ''), CHARGE);
    const lines = await ledgerOf(world.gateway, { task_id: id });
    const amounts = Object.fromEntries(lines.map(({ kind, amount }) => [kind, nano(amount)]));
    assert.equal(amounts['settle'], CHARGE);
    assert.equal(amounts['hold'], CHARGE + (amounts['release'] ?? 0n));
    assert.ok(lines.every(({ request_id, task_id }) => request_id === null && task_id === id));
    const logged = await requestOf(world.gateway, response);
    assert.equal(logged.arithmetic, '108900 tokens x 7 (generate) / 1000000');
    assert.deepEqual([logged.status, nano(logged.charge), logged.usage_source], [200, CHARGE, 'upstream']);
    assert.deepEqual([logged.endpoint, logged.attempts.length], ['/v1/video/generations', 1]);
    assert.equal(nano(await balanceOf(world.gateway, world.account.id)), nano('100') - CHARGE);
    assert.equal(world.stub.submits, 1);
  });

  test('a failure says why and gives everything back, and its state never comes without its money (V-04)', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    world.stub.script = ['queued', 'failed'];
    const id = await submitted(world);
    const { fail_reason, result_url } = await untilStatus(world, id, 'FAILURE');
    assert.equal(await balanceOf(world.gateway, world.account.id), '100');
    assert.deepEqual([fail_reason, result_url], ['The output is not allowed.', '']);
    const video = (await (await call(world, 'GET', `/v1/videos/${id}`)).json()) as Record<string, unknown>;
    assert.deepEqual(video['error'], {
      code: 'OutputVideoSensitiveContentDetected',
      message: 'The output is not allowed.',
    });
    assert.equal('url' in video, false);
    const error = await readError(await call(world, 'GET', `/v1/videos/${id}/content`), 409, 'task_not_finished');
    assert.match(error.message, /The output is not allowed/);
  });

  test('poll faults are no results: nothing but the provider ends the task (FT-25, promise V-07)', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    world.stub.script = [
      'running',
      500,
      401,
      404,
      'html',
      'empty',
      'odd',
      'queued',
      'reset',
      429,
      'succeeded',
      'failed',
    ];
    const id = await submitted(world);
    const seen = new Set<string>();
    let last = -1;
    await waitUntil(
      async () => {
        const { status, progress } = await wrapperOf(world, id);
        seen.add(status);
        assert.ok(Number.parseInt(progress, 10) >= last, 'progress never decreases');
        last = Number.parseInt(progress, 10);
        return status === 'SUCCESS';
      },
      'the task does not end',
      30_000,
    );
    assert.ok(!seen.has('FAILURE'));
    await pause(300); // the provider changes its mind: nobody asks any more
    assert.equal((await wrapperOf(world, id)).status, 'SUCCESS');
    const { history } = await taskOf(world, id);
    assert.deepEqual(
      history.map(({ status }) => status),
      ['SUBMITTED', 'IN_PROGRESS', 'SUCCESS'],
    );
  });

  for (const state of ['expired', 'cancelled'] as const) {
    test(`a task that the provider calls ${state} has failed`, async (t) => {
      const world = await makeVideoWorld(gateway(), t);
      world.stub.script = ['running', state];
      const id = await submitted(world);
      assert.notEqual((await untilStatus(world, id, 'FAILURE')).fail_reason, '');
      assert.equal(await balanceOf(world.gateway, world.account.id), '100');
    });
  }

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

  test('two lost submits of one moment are told apart by nobody: both wait, and neither takes the other', async (t) => {
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

  test('a refused content is told to the caller, costs nothing and shows no task', async (t) => {
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

  test('what cannot be paid is not submitted', async (t) => {
    const world = await makeVideoWorld(gateway(), t, { credit: '0.0001' });
    const response = await submit(world);
    const body = (await response.json()) as { code: string; error: { code: string; message: string } };
    assert.deepEqual([response.status, body.code], [402, 'insufficient_quota']);
    assert.equal(world.stub.submits, 0);
  });

  test('reads come from the row: asking often costs no call to the provider (promise V-12)', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    world.stub.script = ['running', 'succeeded'];
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    const before = world.stub.polls;
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 10 }, () => wrapperOf(world, id)));
    assert.equal(world.stub.polls, before);
  });

  test('a provider that does not answer polls keeps no task of another waiting', async (t) => {
    const [hanging, other] = [
      await makeVideoWorld(gateway(), t, { credit: '1000' }),
      await makeVideoWorld(gateway(), t),
    ];
    hanging.stub.script = ['hang'];
    const stuck: string[] = [];
    for (let count = 0; count < 90; count++) stuck.push(await submitted(hanging));
    await waitUntil(() => hanging.stub.polls >= 60, 'the hanging tasks were not asked about', 10_000);
    const startedAt = performance.now();
    const id = await submitted(other);
    await untilStatus(other, id, 'SUCCESS');
    assert.ok(performance.now() - startedAt < 2_000, 'it waited behind the others');
    await Promise.all(stuck.map((one) => call(hanging, 'DELETE', `/v1/videos/${one}`)));
  });

  test('a client that leaves its download ends it', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    let closed = false;
    const file = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' }).write(Buffer.alloc(1024));
      response.once('close', () => (closed = true));
    }).listen(0, '127.0.0.1');
    await once(file, 'listening');
    t.after(() => file.close().closeAllConnections());
    const { port } = file.address() as AddressInfo;
    world.stub.link = `http://127.0.0.1:${port}/slow.mp4`;
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    const leaving = new AbortController();
    const response = await call(world, 'GET', `/v1/videos/${id}/content`, { signal: leaving.signal });
    assert.equal(response.status, 200);
    leaving.abort();
    await waitUntil(() => closed, 'the link is still being read');
  });

  test('disabling channel and token strands no task (promise V-13)', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    world.stub.script = ['running'];
    const id = await submitted(world);
    await untilStatus(world, id, 'IN_PROGRESS');
    const [channel] = world.channels;
    await world.gateway.operator('PATCH', `/channels/${channel?.id}`, { status: 'disabled' });
    const spare = await makeToken(world.gateway, { account_id: world.account.id });
    await world.gateway.operator('PATCH', `/tokens/${world.token.id}`, { status: 'disabled' });
    for (const task of world.stub.tasks.values()) task.script = ['succeeded'];
    await untilStatus({ ...world, key: spare.key }, id, 'SUCCESS');
    assert.equal(nano(await balanceOf(world.gateway, world.account.id)), nano('100') - CHARGE);
  });

  test('the very key that submitted also asks', async (t) => {
    const world = await makeVideoWorld(gateway(), t, { channels: [{ keys: ['key-one-0001', 'key-two-0002'] }] });
    const ids = [await submitted(world), await submitted(world), await submitted(world)];
    for (const id of ids) await untilStatus(world, id, 'SUCCESS');
    assert.equal(new Set([...world.stub.tasks.values()].map(({ key }) => key)).size, 2);
  });

  test("another account's token gets the same answer as for an unknown id, on every route (promise V-09)", async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    const stranger = await makeAccount(world.gateway, { name: uniqueName('stranger'), credit: '1' });
    const { key } = await makeToken(world.gateway, { account_id: stranger.id });
    const unknown = `task_${'x'.repeat(32)}`;
    for (const [method, path] of [
      ['GET', '/v1/video/generations/{id}'],
      ['GET', '/v1/videos/{id}'],
      ['GET', '/v1/videos/{id}/content'],
      ['DELETE', '/v1/videos/{id}'],
    ] as const) {
      const ask = async (task: string) => {
        const response = await call({ ...world, key }, method, path.replace('{id}', task));
        const text = (await response.text()).replaceAll(task, '{id}');
        return [response.status, text, response.headers.get('content-type')];
      };
      assert.deepEqual(await ask(id), await ask(unknown), path);
      assert.equal((await ask(id))[0], 404);
    }
    const list = (await (await call({ ...world, key }, 'GET', '/v1/videos')).json()) as { data: unknown[] };
    assert.deepEqual(list.data, []);
    assert.equal((await wrapperOf(world, id)).status, 'SUCCESS');
    const second = await makeToken(world.gateway, { account_id: world.account.id });
    assert.equal((await wrapperOf({ ...world, key: second.key }, id)).status, 'SUCCESS');
  });

  test('the list is paged, and a removed task is in none of it', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      ids.push(await submitted(world));
      await pause(5); // ids tell milliseconds
    }
    for (const id of ids) await untilStatus(world, id, 'SUCCESS');
    interface List {
      object: string;
      data: { id: string }[];
      first_id: string | null;
      last_id: string | null;
      has_more: boolean;
    }
    const list = async (query: string): Promise<List> =>
      (await (await call(world, 'GET', `/v1/videos?${query}`)).json()) as List;
    const newest = ids.toReversed();
    const page = await list('limit=2');
    assert.deepEqual(
      page.data.map(({ id }) => id),
      newest.slice(0, 2),
    );
    assert.deepEqual([page.object, page.first_id, page.last_id, page.has_more], ['list', newest[0], newest[1], true]);
    const rest = await list(`limit=2&after=${page.last_id}`);
    assert.deepEqual([rest.data.map(({ id }) => id), rest.has_more], [newest.slice(2), false]);
    assert.deepEqual(
      (await list('order=asc')).data.map(({ id }) => id),
      ids,
    );
    for (const query of ['limit=x', 'limit=101', 'order=up', 'after=task_nobody'])
      await readError(await call(world, 'GET', `/v1/videos?${query}`), 400, 'invalid_request');

    const deleted = await call(world, 'DELETE', `/v1/videos/${ids[0]}`);
    assert.deepEqual(await deleted.json(), { id: ids[0], object: 'video.deleted', deleted: true });
    assert.equal((await list('')).data.length, 2);
    await readError(await call(world, 'GET', `/v1/videos/${ids[0]}`), 404, 'task_not_found');
    await readError(await call(world, 'DELETE', `/v1/videos/${ids[0]}`), 404, 'task_not_found');
  });

  test('a live task that is deleted is cancelled with the provider, and its money comes back', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    world.stub.script = ['running'];
    const id = await submitted(world);
    assert.equal((await call(world, 'DELETE', `/v1/videos/${id}`)).status, 200);
    assert.equal(await balanceOf(world.gateway, world.account.id), '100');
    const [made] = world.stub.tasks.values();
    assert.equal(made?.cancels, 1);
    const task = await taskOf(world, id);
    assert.deepEqual([task.status, task.error_code, nano(task.charge ?? '')], ['FAILURE', 'task_cancelled', 0n]);
    const kinds = (await ledgerOf(world.gateway, { task_id: id })).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['hold', 'release']);
  });

  test('the video is proxied whole, in ranges and by head alone, with no header but those that describe it', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    world.stub.script = ['running'];
    const id = await submitted(world);
    const path = `/v1/videos/${id}/content`;
    await readError(await call(world, 'GET', path), 409, 'task_not_finished');
    for (const task of world.stub.tasks.values()) task.script = ['succeeded'];
    await untilStatus(world, id, 'SUCCESS');

    const whole = await call(world, 'GET', path);
    assert.equal(whole.status, 200);
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(VIDEO));
    assert.equal(whole.headers.get('content-type'), 'video/mp4');
    assert.equal(whole.headers.get('content-length'), String(VIDEO.length));
    assert.match(whole.headers.get('cache-control') ?? '', /^private/);
    for (const name of ['set-cookie', 'x-internal-host']) assert.equal(whole.headers.get(name), null, name);

    const part = await call(world, 'GET', path, { headers: { range: 'bytes=10-19' } });
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 10-19/${VIDEO.length}`]);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(VIDEO.subarray(10, 20)));
    const beyond = await call(world, 'GET', path, { headers: { range: 'bytes=9999999-' } });
    assert.equal(beyond.status, 416);
    const head = await call(world, 'HEAD', path);
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(VIDEO.length)]);
    assert.equal((await head.arrayBuffer()).byteLength, 0);
    await readError(await call(world, 'GET', `${path}?variant=thumbnail`), 400, 'invalid_request');
    await readError(await call(world, 'GET', `${path}/more`), 404, 'not_found');
  });

  test('a link that has expired is asked for anew; one that is gone for good is 410', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    world.stub.linkGeneration = 1;
    const again = await call(world, 'GET', `/v1/videos/${id}/content`);
    assert.ok(Buffer.from(await again.arrayBuffer()).equals(VIDEO));
    assert.match((await wrapperOf(world, id)).result_url, /generation=1$/);
    world.stub.linkGeneration = 2;
    world.stub.tasks.clear();
    await readError(await call(world, 'GET', `/v1/videos/${id}/content`), 410, 'video_expired');
  });

  for (const link of [
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost:1/video.mp4',
    'http://[::1]:1/v.mp4',
  ]) {
    test(`a result at ${link} is not fetched (promise A-10)`, async (t) => {
      const world = await makeVideoWorld(gateway(), t);
      world.stub.link = link;
      const id = await submitted(world);
      await untilStatus(world, id, 'SUCCESS');
      const error = await readError(await call(world, 'GET', `/v1/videos/${id}/content`), 502, 'upstream_error');
      assert.doesNotMatch(error.message, /169\.254|localhost|::1/);
    });
  }

  test('an archiving channel keeps the video when the link is gone', async (t) => {
    const world = await makeVideoWorld(gateway(), t, { channels: [{ options: { archive: true } }] });
    const id = await submitted(world);
    await untilStatus(world, id, 'SUCCESS');
    await waitUntil(async () => (await taskOf(world, id)).archived, 'the video is not archived');
    world.stub.linkGeneration = 9;
    world.stub.tasks.clear();
    const whole = await call(world, 'GET', `/v1/videos/${id}/content`);
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(VIDEO));
    const part = await call(world, 'GET', `/v1/videos/${id}/content`, { headers: { range: 'bytes=-5' } });
    assert.deepEqual([part.status, part.headers.get('content-length')], [206, '5']);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(VIDEO.subarray(-5)));
    assert.equal((await call(world, 'DELETE', `/v1/videos/${id}`)).status, 200);
  });
});
