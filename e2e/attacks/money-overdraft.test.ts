// A poor account that asks for endless answers in parallel, without a limit: no more of them begin than it can pay for to
// their end (promises M-01, M-02).
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { chat } from '../support/chat.ts';
import { balanceOf, ledgerOf, nano } from '../support/money.ts';
import { sendJson, startStub } from '../support/stub.ts';
import { makeWorld, type World, type WorldOptions } from '../support/world.ts';
import { attackedGateway } from './attacked-gateway.ts';

const CALLS = 40;
/** What a model gives that nobody stops: 0.32 at 10 per million. */
const LONG = 32_000;
const PRICE = { unit: 'tokens', input: '0', output: '10' } as const;
/** For 4,096 tokens of output. */
const USUAL_HOLD = '0.04096';

describe('answers without a limit', { concurrency: 4 }, async () => {
  const gateway = await attackedGateway();

  async function attack(
    t: TestContext,
    options: WorldOptions,
    body: object = {},
  ): Promise<{ world: World; served: number }> {
    const usage = { prompt_tokens: 3, completion_tokens: LONG };
    const base_url = await startStub(t, (_, response) => {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }];
      const answer = { id: 'x', object: 'chat.completion', created: 1, model: 'x', choices, usage };
      // All that were let in are under way together.
      setTimeout(() => sendJson(response, 200, answer), 1_000);
    });
    const world = await makeWorld(gateway, t, { model: { price: PRICE }, channels: [{ base_url }], ...options });
    const statuses = await Promise.all(
      Array.from({ length: CALLS }, async () => {
        const response = await chat(world, 'go on', { ...body });
        await response.text();
        return response.status;
      }),
    );
    const served = statuses.filter((status) => status === 200).length;
    assert.equal(statuses.filter((status) => status === 402).length, CALLS - served);
    return { world, served };
  }

  test('of a poor account never come to more than twice what it had', async (t) => {
    const { world, served } = await attack(t, { credit: '2' });
    assert.ok(served >= 6, `only ${served} were served`);
    assert.ok(nano(await balanceOf(gateway, world.account.id)) >= nano('-2'));
  });

  test('of a token with a small quota are bounded by it in the same way', async (t) => {
    const { world, served } = await attack(t, { token: { quota: '2' } });
    assert.ok(served >= 6 && served <= 13, `${served} were served`);
    assert.ok(nano(await balanceOf(gateway, world.account.id)) >= nano('96'));
  });

  test('that cannot be paid for at all are refused, and the limit to send is named', async (t) => {
    const { world, served } = await attack(t, { credit: '0.2' });
    assert.equal(served, 0);
    const refused = (await (await chat(world, 'go on')).json()) as { error: { message: string } };
    assert.match(refused.error.message, /may cost up to 0\.32768\b.*or lower max/);
    assert.equal((await chat(world, 'go on', { max_tokens: 100 })).status, 200);
  });

  test('of a rich account all begin, with the usual hold', async (t) => {
    const { world, served } = await attack(t, { credit: '100' });
    assert.equal(served, CALLS);
    const holds = (await ledgerOf(gateway, { account_id: world.account.id })).filter(({ kind }) => kind === 'hold');
    assert.equal(holds.length, CALLS);
    for (const { amount } of holds) assert.equal(amount, USUAL_HOLD);
  });
});
