// Batches against time: a line costs what was agreed when its batch was made, whatever an operator changes before it runs.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { BATCH_PRICE, begin, chatLine, ended, openai, settlesOf } from '../support/batches.ts';
import { nano } from '../support/money.ts';
import { sendJson, startStub } from '../support/stub.ts';
import { waitUntil } from '../support/wait.ts';
import { makeWorld, suiteGateway } from '../support/world.ts';
import { assertReconciled } from './attacked-gateway.ts';

const gateway = await suiteGateway({ settings: { TOLLGATE_BATCH_CONCURRENCY: '1' } });

test('a line that runs after its price was raised costs what it was held for (promise M-13)', async (t) => {
  const waiting: ServerResponse[] = [];
  let isHeldBack = true;
  const answer = (response: ServerResponse): void => {
    const message = { role: 'assistant', content: 'hi' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
    sendJson(response, 200, { id: 'x', object: 'chat.completion', created: 1, model: 'x', choices, usage });
  };
  const base_url = await startStub(t, (_, response) => {
    if (isHeldBack) waiting.push(response);
    else answer(response);
  });
  const world = await makeWorld(gateway, t, { channels: [{ base_url }], model: { price: BATCH_PRICE } });
  const client = openai(world);
  const { id } = await begin(
    client,
    ['1', '2', '3'].map((one) => chatLine(one, world.model)),
  );
  await waitUntil(() => waiting.length === 1, 'no line begins');
  await gateway.operator('PUT', `/models/${world.model}`, {
    price: { unit: 'tokens', input: '2500', output: '10000' },
  });
  await gateway.operator('PUT', '/groups/default', { multiplier: '7' });
  isHeldBack = false;
  for (const response of waiting) answer(response);
  const batch = await ended(client, id);
  assert.deepEqual(batch.request_counts, { total: 3, completed: 3, failed: 0 });
  const settles = await settlesOf(world, id);
  const agreed = (20n * 2_500n + 10n * 10_000n) / 2n;
  for (const name of ['1', '2', '3']) assert.deepEqual(settles.get(name)?.map(nano), [agreed], `line ${name}`);
  await assertReconciled(gateway);
});
