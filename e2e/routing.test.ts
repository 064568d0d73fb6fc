// Which channel and key a request goes to, how often they are asked, and for how long at most (issue 2, Routing).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, readAnswer, readError } from './support/chat.ts';
import { requestsOf } from './support/money.ts';
import { sendJson, startStub } from './support/stub.ts';
import { pause } from './support/wait.ts';
import { makeWorld, suiteGateway } from './support/world.ts';

function statusesOf(answers: Response[]): number[] {
  return answers.map(({ status }) => status).toSorted((one, other) => one - other);
}

describe('routing', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();

  test('higher priority is asked first, down to the one that answers', async (t) => {
    const world = await makeWorld(gateway, t, {
      channels: [{ priority: -5 }, { priority: 20, behave: 'fail-500' }, { priority: 10, behave: 'reset' }],
    });
    await readAnswer(await chat(world, 'who?'));
    const [logged] = await requestsOf(gateway, { account_id: world.account.id });
    const order = [1, 2, 0].map((index) => world.channels[index]?.id);
    assert.deepEqual(
      logged?.attempts.map(({ channel_id }) => channel_id),
      order,
    );
    assert.equal(logged?.channel_id, order[2]);
  });

  test('within one priority the weight decides, and weight 0 is for need only', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ weight: 1 }, { weight: 3 }, { weight: 0 }] });
    await Promise.all(Array.from({ length: 80 }, async () => readAnswer(await chat(world, 'share'))));
    const counts = [0, 1, 2].map((index) => world.calls(index).length);
    assert.equal(counts[2], 0);
    assert.ok((counts[1] ?? 0) >= 40 && (counts[1] ?? 0) <= 78, `shares: ${counts.join(', ')}`);
    const needed = await makeWorld(gateway, t, { channels: [{ weight: 5, behave: 'fail-503' }, { weight: 0 }] });
    await readAnswer(await chat(needed, 'need'));
  });

  test('keys of a channel take turns', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ keys: ['first-aaaa', 'second-bbbb', 'third-cccc'] }] });
    for (let count = 0; count < 6; count++) await readAnswer(await chat(world, 'turn'));
    const hints = world.calls().map(({ keyHint }) => keyHint ?? '');
    assert.deepEqual(hints.toSorted(), ['aaaa', 'aaaa', 'bbbb', 'bbbb', 'cccc', 'cccc']);
  });

  for (const bad of ['bad-key-aaaa', 'forbidden-aaaa']) {
    test(`${bad}: another key of the channel answers, and the first is left alone afterwards`, async (t) => {
      const world = await makeWorld(gateway, t, { channels: [{ keys: [bad, 'good-key-bbbb'] }] });
      for (let count = 0; count < 4; count++) await readAnswer(await chat(world, 'keys'));
      const hints = world.calls().map(({ keyHint }) => keyHint);
      assert.deepEqual(hints, ['aaaa', 'bbbb', 'bbbb', 'bbbb', 'bbbb']);
    });
  }

  test('another key of the channel answers for one that is limited, which is left alone afterwards', async (t) => {
    const asked: string[] = [];
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }];
    const base_url = await startStub(t, (request, response) => {
      const key = (request.headers.authorization ?? '').slice(-4);
      asked.push(key);
      response.setHeader('retry-after', '60');
      if (key === 'aaaa') sendJson(response, 429, { error: { message: 'slow down' } });
      else sendJson(response, 200, { id: 'x', object: 'chat.completion', created: 1, model: 'x', choices });
    });
    const world = await makeWorld(gateway, t, { channels: [{ base_url, keys: ['limited-aaaa', 'good-key-bbbb'] }] });
    for (let count = 0; count < 4; count++) await readAnswer(await chat(world, 'keys'));
    assert.deepEqual(asked, ['aaaa', 'bbbb', 'bbbb', 'bbbb', 'bbbb']);
  });

  test('a key that was limited is asked again after its rest', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'once-rate-limited-1' }] });
    await readError(await chat(world, 'rest'), 429, 'upstream_rate_limited');
    await pause(1_050);
    await readAnswer(await chat(world, 'rest'));
    assert.equal(world.calls().length, 2);
  });

  test('new keys of a channel replace those that were taken out', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ keys: ['bad-key-aaaa'] }] });
    await readError(await chat(world, 'keys'), 502, 'upstream_error');
    await gateway.operator('PATCH', `/channels/${world.channels[0]?.id}`, { keys: ['good-key-bbbb'] });
    await readAnswer(await chat(world, 'keys'));
  });

  test('a candidate that failed is asked once only for that request', async (t) => {
    const world = await makeWorld(gateway, t, {
      channels: [
        { behave: 'fail-500', keys: ['key-1-aaaa', 'key-2-bbbb'] },
        { behave: 'reset' },
        { keys: ['limited-1', 'limited-2', 'bad-key-3'] },
      ],
    });
    await readError(await chat(world, 'once'), 502, 'upstream_error');
    assert.deepEqual(
      [0, 1, 2].map((index) => world.calls(index).length),
      [1, 1, 3],
    );
    assert.equal(new Set(world.calls(2).map(({ keyHint }) => keyHint)).size, 3);
  });

  test('channels of other groups and disabled ones are never asked', async (t) => {
    const world = await makeWorld(gateway, t, {
      channels: [
        { priority: 9, groups: ['others'] },
        { priority: 9, status: 'disabled' },
        { groups: ['default'], behave: 'fail-500' },
      ],
    });
    await readError(await chat(world, 'mine only'), 502, 'upstream_error');
    assert.deepEqual(
      [0, 1, 2].map((index) => world.calls(index).length),
      [0, 0, 1],
    );
  });

  test('a full channel is passed over; when all are full it is 503 with Retry-After', async (t) => {
    const options = { concurrency: 1 };
    const world = await makeWorld(gateway, t, {
      channels: [
        { options, behave: 'slow-2500' },
        { options, behave: 'slow-2500' },
      ],
    });
    const answers = await Promise.all([1, 2, 3].map(() => chat(world, 'full')));
    assert.deepEqual(statusesOf(answers), [200, 200, 503]);
    const refused = answers.find(({ status }) => status === 503);
    assert.ok(refused);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    await readError(refused, 503, 'no_channel_available');
    await readAnswer(await chat(world, 'free again'));
  });

  test('a failing channel is kept out, tried by one call after its pause, and back when that succeeds', async (t) => {
    // An alert that is open asks the channel by itself, in the middle of this.
    await gateway.operator('PUT', '/alerts/rules/channel_down', { enabled: false });
    const world = await makeWorld(gateway, t, {});
    for (let count = 0; count < 5; count++) await readError(await chat(world, '[[fail 500]]'), 502, 'upstream_error');
    const openedAt = performance.now();
    const refused = await chat(world, 'fine now');
    const retryAfter = Number(refused.headers.get('retry-after'));
    assert.ok(retryAfter >= 1 && retryAfter <= 5, `${retryAfter}`);
    await readError(refused, 503, 'no_channel_available');
    assert.equal(world.calls().length, 5, 'a channel that is kept out was asked');
    const metrics = await (await fetch(`${gateway.address}/metrics`)).text();
    assert.match(metrics, new RegExp(`tollgate_channel_open_breaker\\{channel="${world.channels[0]?.name}"\\} 1`));

    await pause(openedAt + 5_100 - performance.now());
    const answers = await Promise.all([1, 2, 3, 4].map(() => chat(world, 'probe [[slow 1000]]')));
    assert.deepEqual(statusesOf(answers), [200, 503, 503, 503]);
    const asked = world.calls().map(({ body }) => JSON.stringify(body));
    assert.equal(asked.length, 6, `more than one probe: ${asked.slice(5).join()}`);
    await Promise.all([1, 2, 3].map(async () => readAnswer(await chat(world, 'closed again'))));
  });

  test('refusals of content and departures do not open a breaker', async (t) => {
    const world = await makeWorld(gateway, t, {});
    for (let count = 0; count < 8; count++) assert.equal((await chat(world, '[[fail 422]]')).status, 422);
    await readAnswer(await chat(world, 'still open'));
  });

  test('one deadline holds over all attempts', async (t) => {
    const options = { first_byte_ms: 500, total_ms: 800 };
    const channel = { behave: 'hang', options };
    const world = await makeWorld(gateway, t, { channels: [channel, channel, channel, channel] });
    for (const stream of [false, true]) {
      await readError(await chat(world, 'deadline', { stream }), 504, 'upstream_timeout');
    }
    assert.ok(world.calls().length <= 4, 'each had time for two of four');
    assert.ok(world.calls().every(({ aborted }) => aborted));
  });

  test('the total time ends a stream that never stops', async (t) => {
    const options = { total_ms: 700 };
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'pace-50,long-1000', options }] });
    const raw = await (await chat(world, 'endless', { stream: true })).text();
    assert.match(raw, /"code":"upstream_timeout"/);
    assert.ok(!raw.includes('[DONE]'));
  });

  test('the operator can test a channel, and learns nothing that must stay hidden', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{}, { behave: 'fail-500' }, { keys: ['bad-key-zzzz'] }] });
    const results = [];
    for (const { id } of world.channels)
      results.push(await gateway.operator<{ ok: boolean }>('POST', `/channels/${id}/test`, { model: world.model }));
    assert.deepEqual(
      results.map(({ ok }) => ok),
      [true, false, false],
    );
    assert.ok(!JSON.stringify(results).includes('bad-key-zzzz'));
  });
});
