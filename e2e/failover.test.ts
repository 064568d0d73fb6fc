// A channel that fails before the first byte: the next one answers, or the caller gets the contract's status and code, never
// a word about the upstream (contract 4 and 5).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, readAnswer, readError, readStream } from './support/chat.ts';
import { balanceOf, nano, requestOf, requestsOf } from './support/money.ts';
import { closedAddress, sendJson, startStub } from './support/stub.ts';
import { type ChannelOptions, makeWorld, suiteGateway, type World } from './support/world.ts';

interface Fault {
  name: string;
  channel: ChannelOptions;
  status: number;
  code: string;
  /** Of the failed attempt in the request log. */
  error: string;
  only?: 'whole' | 'stream';
}

const quick = { first_byte_ms: 250, idle_ms: 250 };
const failed = { status: 502, code: 'upstream_error' };
const late = { status: 504, code: 'upstream_timeout', error: 'timed-out' };

const faults: Fault[] = [
  { name: 'hangs', channel: { behave: 'hang', options: quick }, ...late },
  { name: 'stalls before the first event', channel: { behave: 'stall-0', options: quick }, ...late, only: 'stream' },
  { name: 'stalls inside the answer', channel: { behave: 'stall', options: quick }, ...late, only: 'whole' },
  { name: 'answers 504', channel: { behave: 'fail-504' }, ...late },
  { name: 'resets the connection', channel: { behave: 'reset' }, ...failed, error: 'unreachable' },
  { name: 'refuses the connection', channel: { base_url: await closedAddress() }, ...failed, error: 'unreachable' },
  { name: 'answers 500', channel: { behave: 'fail-500' }, ...failed, error: 'overloaded' },
  { name: 'answers 503', channel: { behave: 'fail-503' }, ...failed, error: 'overloaded' },
  { name: 'rejects the key with 401', channel: { behave: 'unauthorised' }, ...failed, error: 'unauthorised' },
  { name: 'rejects the key with 403', channel: { behave: 'forbidden' }, ...failed, error: 'unauthorised' },
  { name: 'answers garbage', channel: { behave: 'garbage' }, ...failed, error: 'malformed' },
  { name: 'answers half a JSON', channel: { behave: 'truncated' }, ...failed, error: 'malformed' },
  {
    name: 'answers an error with 200',
    channel: { behave: 'error-event' },
    ...failed,
    error: 'malformed',
    only: 'whole',
  },
  { name: 'begins with an error', channel: { behave: 'error-event' }, ...failed, error: 'overloaded', only: 'stream' },
  { name: 'answers nothing', channel: { behave: 'empty' }, ...failed, error: '' },
  { name: 'compresses unasked', channel: { behave: 'gzip' }, ...failed, error: 'malformed' },
  { name: 'redirects', channel: { behave: 'redirect' }, ...failed, error: 'malformed' },
  {
    name: 'is cut before the first event',
    channel: { behave: 'cut-0' },
    ...failed,
    error: 'unreachable',
    only: 'stream',
  },
  { name: 'is cut in the middle', channel: { behave: 'cut' }, ...failed, error: '', only: 'whole' },
  { name: 'ends before the first event', channel: { behave: 'end-0' }, ...failed, error: '', only: 'stream' },
  { name: 'does not stream', channel: { behave: 'json' }, ...failed, error: 'malformed', only: 'stream' },
  {
    name: 'answers 429',
    channel: { behave: 'rate-limited-30' },
    status: 429,
    code: 'upstream_rate_limited',
    error: 'limited',
  },
];

/** Neither body nor headers show where the upstream is or which key it takes. */
function assertHidden(world: World, response: Response, body: string): void {
  const shown = `${body} ${JSON.stringify([...response.headers])}`;
  for (const { base_url } of world.channels) {
    const { host, port } = new URL(base_url);
    for (const secret of [host, `:${port}`, 'upstream-key', '/behave/', 'sandbox.ts', '    at '])
      assert.ok(!shown.includes(secret), `${secret} in ${shown}`);
  }
}

describe('failover', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();

  for (const fault of faults) {
    for (const kind of ['whole', 'stream'] as const) {
      if (fault.only !== undefined && fault.only !== kind) continue;
      const stream = kind === 'stream';

      test(`${kind}: a channel that ${fault.name} is passed over for the next one`, async (t) => {
        const world = await makeWorld(gateway, t, { channels: [{ ...fault.channel, priority: 9 }, {}] });
        const response = await chat(world, 'who answers?', { stream });
        if (stream) assert.ok((await readStream(response)).done);
        else await readAnswer(response);
        const logged = await requestOf(gateway, response);
        assert.deepEqual(
          logged.attempts.map(({ channel_id }) => channel_id),
          world.channels.map(({ id }) => id),
        );
        if (fault.error !== '') assert.equal(logged.attempts[0]?.error, fault.error);
        assert.deepEqual([logged.attempts[1]?.status, logged.attempts[1]?.error], [200, null]);
        assert.equal(logged.usage_source, 'upstream');
        assert.ok(world.calls(0).length <= 1 && world.calls(1).length === 1);
      });

      test(`${kind}: alone, a channel that ${fault.name} makes it ${fault.status} ${fault.code}, at no charge (promise M-08)`, async (t) => {
        const world = await makeWorld(gateway, t, { channels: [fault.channel] });
        const response = await chat(world, 'who answers?', { stream });
        const body = await response.clone().text();
        await readError(response, fault.status, fault.code);
        assertHidden(world, response, body);
        const retryAfter = response.headers.get('retry-after');
        if (fault.status === 429) assert.ok(Number(retryAfter) >= 25 && Number(retryAfter) <= 30, `${retryAfter}`);
        assert.equal(nano(await balanceOf(gateway, world.account.id)), nano('100'));
        const [logged] = await requestsOf(gateway, { account_id: world.account.id });
        assert.deepEqual([logged?.status, logged?.error_code], [fault.status, fault.code]);
        assert.deepEqual([logged?.usage_source, nano(logged?.charge ?? '1')], [null, 0n]);
      });
    }
  }

  test('no redirect is followed: nothing but the one call arrives', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'redirect' }] });
    await readError(await chat(world, 'go away'), 502, 'upstream_error');
    assert.ok(!gateway.upstream.records.some(({ path }) => path.includes('redirected')));
  });

  test('a rate limited key rests: the next request does not ask it, and alone it says when to come back', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'rate-limited-30', priority: 9 }, {}] });
    await readAnswer(await chat(world, 'first'));
    await readAnswer(await chat(world, 'second'));
    assert.deepEqual([world.calls(0).length, world.calls(1).length], [1, 2]);

    const alone = await makeWorld(gateway, t, { channels: [{ behave: 'rate-limited-30' }] });
    await readError(await chat(alone, 'first'), 429, 'upstream_rate_limited');
    const second = await chat(alone, 'second');
    const retryAfter = Number(second.headers.get('retry-after'));
    assert.ok(retryAfter >= 25 && retryAfter <= 30, `${retryAfter}`);
    await readError(second, 429, 'upstream_rate_limited');
    assert.equal(alone.calls().length, 1);
  });

  test('a rejected key is taken out and the caller never sees a 401 or 403', async (t) => {
    for (const key of ['bad-key-1', 'forbidden-key-1']) {
      const world = await makeWorld(gateway, t, { channels: [{ keys: [key] }] });
      await readError(await chat(world, 'first'), 502, 'upstream_error');
      const second = await chat(world, 'second');
      assert.ok(Number(second.headers.get('retry-after')) >= 1);
      await readError(second, 503, 'no_channel_available');
      assert.equal(world.calls().length, 1);
    }
  });

  test('only when all channels are rate limited is it 429', async (t) => {
    const limited = await makeWorld(gateway, t, {
      channels: [{ behave: 'rate-limited-20' }, { behave: 'rate-limited-9' }],
    });
    const response = await chat(limited, 'both');
    assert.ok(Number(response.headers.get('retry-after')) <= 9);
    await readError(response, 429, 'upstream_rate_limited');
    const mixed = await makeWorld(gateway, t, { channels: [{ behave: 'rate-limited-20' }, { behave: 'fail-500' }] });
    await readError(await chat(mixed, 'both'), 502, 'upstream_error');
  });

  for (const status of [400, 404, 413, 422]) {
    for (const stream of [false, true]) {
      test(`${status} of the upstream is handed on as it is, ${stream ? 'streamed' : 'whole'}`, async (t) => {
        const world = await makeWorld(gateway, t, { channels: [{ priority: 9 }, {}] });
        const response = await chat(world, `no [[fail ${status}]]`, { stream });
        const body = await response.clone().text();
        assert.equal(response.status, status);
        assert.match(body, new RegExp(`The sandbox was asked to fail with ${status}\\.`));
        assertHidden(world, response, body);
        assert.equal(world.calls().length, 1, 'another channel was asked');
        assert.equal(nano(await balanceOf(gateway, world.account.id)), nano('100'));
      });
    }
  }

  test('code and param of a refusal are handed on too', async (t) => {
    const world = await makeWorld(gateway, t);
    const error = await readError(
      await chat(world, 'hm', { stop: ['1', '2', '3', '4', '5'] }),
      400,
      'array_above_max_length',
    );
    assert.equal(error.param, 'stop');
    assert.match(error.message, /array too long/);
  });

  test('a refusal that repeats our key, its address or an extra header is cleared of them', async (t) => {
    const key = 'sk-upstream-secret-123456';
    const base_url = await startStub(t, (request, response) =>
      sendJson(response, 400, {
        error: {
          message: `Key ${key} at http://${request.headers.host}/v1 with ${String(request.headers['x-team-secret'])}: bad tools`,
          param: key,
          code: `code-${key}`,
        },
      }),
    );
    const headers = { 'x-team-secret': 'header-secret-value' };
    const world = await makeWorld(gateway, t, { channels: [{ base_url, keys: [key], headers }] });
    const response = await chat(world, 'leak?');
    const body = await response.text();
    assert.equal(response.status, 400);
    assert.match(body, /bad tools/);
    for (const secret of [key, new URL(base_url).host, 'header-secret-value']) assert.ok(!body.includes(secret), body);
  });
});
