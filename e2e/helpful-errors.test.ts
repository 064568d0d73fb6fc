// What a caller who did something wrong is told: enough to do it right the next time (contract 4).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, readError } from './support/chat.ts';
import { makeWorld, suiteGateway } from './support/world.ts';

describe('errors that help', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  const anthropic = { provider: 'anthropic' as const, base_url: gateway.upstream.baseUrl('anthropic') };

  test('a value that the provider does not take as it is, is named, and refused where the caller is strict', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [anthropic] });
    const answer = await chat(world, 'Hello', { temperature: 1.5 });
    assert.deepEqual([answer.status, answer.headers.get('x-tollgate-dropped')], [200, 'temperature']);
    await answer.text();
    const headers = { 'x-tollgate-strict': 'true' };
    const refused = await readError(
      await chat(world, 'Hello', { temperature: 1.5 }, { headers }),
      400,
      'invalid_request',
    );
    assert.match(refused.message, /'temperature'/);
    const kept = await chat(world, 'Hello', { temperature: 0.5 }, { headers });
    assert.deepEqual([kept.status, kept.headers.get('x-tollgate-dropped')], [200, null]);
    await kept.text();
  });

  test('a strict header that says neither true nor false is refused', async (t) => {
    const world = await makeWorld(gateway, t);
    for (const value of ['1', 'yes', '', 'true, true']) {
      const headers = { 'x-tollgate-strict': value };
      const refused = await readError(await chat(world, 'Hello', {}, { headers }), 400, 'invalid_request');
      assert.deepEqual(
        [refused.param, /x-tollgate-strict.*true or false/.test(refused.message)],
        ['x-tollgate-strict', true],
      );
    }
    const taken = await chat(world, 'Hello', {}, { headers: { 'x-tollgate-strict': 'True' } });
    assert.equal(taken.status, 200);
    await taken.text();
  });
});
