// The life of a video task, from the submit to its video and its money, judged from outside on both stores.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readError } from './support/chat.ts';
import { balanceOf, ledgerOf, nano, requestOf } from './support/money.ts';
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
import { pause, waitUntil } from './support/wait.ts';
import { makeAccount, makeToken, uniqueName } from './support/world.ts';

/** 108,900 tokens at 7 per million. */
const CHARGE = nano('0.7623');

onEveryGateway((gateway) => {
  test('a task is submitted, polled and settled, and all its faces agree (spec 2.2-2.4, promise V-11)', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    const response = await submit(world, { metadata: { resolution: '720p', duration: 5 } });
    const answer = (await response.json()) as Record<string, unknown>;
    const id = String(answer['id']);
    assert.deepEqual(Object.keys(answer), ['id', 'task_id', 'object', 'model', 'status', 'progress', 'created_at']);
    const { created_at, ...rest } = answer;
    assert.deepEqual(rest, { id, task_id: id, object: 'video', model: world.model, status: 'queued', progress: 0 });
    assert.ok(Math.abs(Number(created_at) - Date.now() / 1000) < 60);
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
    await waitUntil(() => hanging.stub.polls >= 64, 'the hanging tasks were not asked about');
    const asked = hanging.stub.polls; // as many as one channel may have at once, and none of them ends
    const id = await submitted(other);
    await untilStatus(other, id, 'SUCCESS');
    assert.equal(hanging.stub.polls, asked, 'it waited behind the others');
    for (const task of hanging.stub.tasks.values()) task.script = ['queued'];
    await Promise.all(stuck.map((one) => call(hanging, 'DELETE', `/v1/videos/${one}`)));
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

  test("another account's token gets the same answer as for an unknown id, on every route (promises V-09, V-10)", async (t) => {
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
    for (const query of ['limit=x', 'limit=101', 'order=up', 'after=task_nobody', 'after=%00'])
      await readError(await call(world, 'GET', `/v1/videos?${query}`), 400, 'invalid_request');

    const deleted = await call(world, 'DELETE', `/v1/videos/${ids[0]}`);
    assert.deepEqual(await deleted.json(), { id: ids[0], object: 'video.deleted', deleted: true });
    assert.equal((await list('')).data.length, 2);
    await readError(await call(world, 'GET', `/v1/videos/${ids[0]}`), 404, 'task_not_found');
    await readError(await call(world, 'DELETE', `/v1/videos/${ids[0]}`), 404, 'task_not_found');

    assert.equal((await call(world, 'DELETE', `/v1/videos/${newest[0]}`)).status, 200);
    const shown = async (query: string): Promise<string[]> => (await list(query)).data.map(({ id }) => id);
    assert.deepEqual(await shown(`after=${newest[0]}`), [newest[1]], 'a removed task still tells where to go on');
    assert.deepEqual(await shown('after='), [newest[1]]);
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
});
