// One caller can never take a channel from others: failing calls of one account open the breaker for that account; for
// everybody when calls of a second account fail too, or at once when the upstream cannot be connected to (promise B-02).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Channel } from '#contract/channels.ts';
import { chat, readAnswer, readError, readStream } from '../support/chat.ts';
import { requestOf } from '../support/money.ts';
import { closedAddress } from '../support/stub.ts';
import { pause, waitUntil } from '../support/wait.ts';
import { makeWorld, suiteGateway } from '../support/world.ts';
import { anotherCustomer } from './support/keyed-upstream.ts';

describe('breakers', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();

  const attacks = {
    'calls that the upstream answers with 500': { prompt: '[[fail 500]]', options: {} },
    'calls that take too long': { prompt: '[[hang]]', options: { first_byte_ms: 200, idle_ms: 200 } },
    'calls whose connection breaks': { prompt: '[[reset]]', options: {} },
  };
  for (const [name, { prompt, options }] of Object.entries(attacks))
    test(`${name} keep the attacker out, and nobody else`, async (t) => {
      const attacker = await makeWorld(gateway, t, { channels: [{ options }] });
      const victim = await anotherCustomer(attacker);
      for (let count = 0; count < 8; count++) await (await chat(attacker, prompt)).text();
      const refused = await chat(attacker, 'now let me in');
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
      await readError(refused, 503, 'no_channel_available');
      await readAnswer(await chat(victim, 'hello'));
      assert.ok((await readStream(await chat(victim, 'hello', { stream: true }))).done);
      const { health } = await gateway.operator<Channel>('GET', `/channels/${attacker.channels[0]?.id}`);
      assert.notEqual(health.state, 'down');
    });

  test('broken streams keep the attacker out, and nobody else', async (t) => {
    const attacker = await makeWorld(gateway, t);
    const victim = await anotherCustomer(attacker);
    for (let count = 0; count < 5; count++) await (await chat(attacker, '[[cut]]', { stream: true })).text();
    await readError(await chat(attacker, 'now let me in'), 503, 'no_channel_available');
    await readAnswer(await chat(victim, 'hello'));
  });

  test('when calls of a second account fail too, nobody asks it until its pause is over; it closes unaided (B-02)', async (t) => {
    const first = await makeWorld(gateway, t);
    const [second, third] = [await anotherCustomer(first), await anotherCustomer(first)];
    for (let count = 0; count < 5; count++) await readError(await chat(first, '[[fail 500]]'), 502, 'upstream_error');
    await readError(await chat(second, '[[fail 500]]'), 502, 'upstream_error');
    const before = first.calls().length;
    await readError(await chat(third, 'hello'), 503, 'no_channel_available');
    assert.equal(first.calls().length, before);
    const { health } = await gateway.operator<Channel>('GET', `/channels/${first.channels[0]?.id}`);
    assert.equal(health.state, 'down');
    await waitUntil(async () => {
      const response = await chat(third, 'hello');
      await response.text();
      return response.status === 200;
    }, 'it does not close');
  });

  test('an upstream that cannot be connected to is kept from everybody at once', async (t) => {
    const first = await makeWorld(gateway, t, { channels: [{ base_url: await closedAddress() }] });
    const second = await anotherCustomer(first);
    await readError(await chat(first, 'hello'), 502, 'upstream_error');
    let refused = await chat(second, 'hello');
    // On a slow machine the pause of a second may be over, and the call be the one that tries again; pauses grow.
    for (let time = 0; time < 4 && refused.status === 502; time++) refused = await chat(second, 'hello');
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    await readError(refused, 503, 'no_channel_available');
    assert.deepEqual((await requestOf(gateway, refused)).attempts, []);
  });

  test('a channel that is dead never looks healthy, however long nobody asks it (contract 2)', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'fail-500' }] });
    const path = `/channels/${world.channels[0]?.id}`;
    assert.equal((await gateway.operator<Channel>('GET', path)).health.state, 'unknown');
    await readError(await chat(world, 'hello'), 502, 'upstream_error');
    await waitUntil(
      async () => (await gateway.operator<Channel>('GET', path)).health.last_error !== null,
      'the error is not remembered',
    );
    await pause(50);
    const { health } = await gateway.operator<Channel>('GET', path);
    assert.equal(health.state, 'failing');
    assert.deepEqual([health.last_error?.class, health.last_error?.status], ['overloaded', 500]);
    assert.deepEqual([health.calls, health.success_rate], [1, 0]);
  });
});
