// What a call costs: held before the upstream is asked, charged by counts that can be true, with the arithmetic to show for
// it (contract 6).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, readAnswer, readError, readStream, type Usage } from './support/chat.ts';
import { balanceOf, ledgerOf, nano, requestOf } from './support/money.ts';
import { sendJson, startStub } from './support/stub.ts';
import { waitUntil } from './support/wait.ts';
import { makeToken, makeWorld, suiteGateway, uniqueName, type World } from './support/world.ts';

/** Computes what the words of the request log say, rounded once to nano-units, halves up. */
function computed(arithmetic: string | null): bigint {
  const parts = [...(arithmetic ?? '').matchAll(/(\d+) \w+ x ([\d.]+)/g)];
  const multiplier = /\) \/ 1000000 x ([\d.]+)/.exec(arithmetic ?? '')?.[1] ?? '1';
  const sum = parts.reduce((total, [, count = '', rate = '']) => total + BigInt(count) * nano(rate), 0n);
  const scale = 1_000_000n * 1_000_000_000n;
  return (2n * sum * nano(multiplier) + scale) / (2n * scale);
}

async function entriesOf({ gateway, account }: World): Promise<Record<string, bigint>> {
  const entries = await ledgerOf(gateway, { account_id: account.id });
  return Object.fromEntries(entries.map(({ kind, amount }) => [kind, nano(amount)]));
}

describe('the charge of a call', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();

  test('follows the usage of the upstream, cached tokens at their own price', async (t) => {
    const world = await makeWorld(gateway, t);
    const response = await chat(world, 'some words to be cached [[cached 4]]');
    const { usage } = await readAnswer(response);
    assert.ok(usage);
    const logged = await requestOf(gateway, response);
    const expected = BigInt(usage.prompt_tokens - 4) * 2_500n + 4n * 1_250n + BigInt(usage.completion_tokens) * 10_000n;
    assert.equal(nano(logged.charge), expected);
    assert.equal(computed(logged.arithmetic), expected);
    assert.match(logged.arithmetic ?? '', /\b4 cached_input x 1\.25\b/);
    assert.equal(logged.usage_source, 'upstream');
    assert.deepEqual(logged.usage, {
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
      cached_input_tokens: 4,
    });
    assert.equal((await entriesOf(world))['settle'], expected);
  });

  test('cached tokens without a price of their own cost as much as other input', async (t) => {
    const world = await makeWorld(gateway, t, { model: { price: { unit: 'tokens', input: '3', output: '7' } } });
    const response = await chat(world, 'words [[cached 2]]');
    const { usage } = await readAnswer(response);
    assert.ok(usage);
    const expected = BigInt(usage.prompt_tokens) * 3_000n + BigInt(usage.completion_tokens) * 7_000n;
    assert.equal(nano((await requestOf(gateway, response)).charge), expected);
  });

  test('is multiplied by the group of the token and rounded once', async (t) => {
    const group = uniqueName('group');
    await gateway.operator('PUT', `/groups/${group}`, { multiplier: '0.333333333' });
    const price = { unit: 'tokens', input: '0.001', output: '0.007' } as const;
    const world = await makeWorld(gateway, t, { token: { group }, model: { price } });
    const response = await chat(world, 'a third of it');
    const { usage } = await readAnswer(response);
    assert.ok(usage);
    const logged = await requestOf(gateway, response);
    const sum = BigInt(usage.prompt_tokens) * 1_000_000n + BigInt(usage.completion_tokens) * 7_000_000n;
    const scale = 1_000_000n * 1_000_000_000n;
    assert.equal(nano(logged.charge), (2n * sum * 333_333_333n + scale) / (2n * scale));
    assert.equal(computed(logged.arithmetic), nano(logged.charge));
    assert.match(logged.arithmetic ?? '', new RegExp(`x 0\\.333333333 \\(group ${group}\\)`));
    assert.equal(logged.group, group);
  });

  test('of a model priced per request is that amount times the multiplier, whole or streamed', async (t) => {
    const group = uniqueName('group');
    await gateway.operator('PUT', `/groups/${group}`, { multiplier: '2.5' });
    const price = { unit: 'request', amount: '0.03' } as const;
    const world = await makeWorld(gateway, t, { account: { group }, model: { price } });
    const whole = await chat(world, 'flat');
    await readAnswer(whole);
    const streamed = await chat(world, 'flat', { stream: true });
    await readStream(streamed);
    for (const response of [whole, streamed]) assert.equal((await requestOf(gateway, response)).charge, '0.075');
    assert.equal(nano(await balanceOf(gateway, world.account.id)), nano('99.85'));
  });

  test('a failed call of a model priced per request costs nothing', async (t) => {
    const price = { unit: 'request', amount: '0.03' } as const;
    const world = await makeWorld(gateway, t, { model: { price }, channels: [{ behave: 'fail-500' }] });
    await readError(await chat(world, 'flat'), 502, 'upstream_error');
    assert.equal(nano(await balanceOf(gateway, world.account.id)), nano('100'));
  });

  test('is estimated when a whole answer tells no usage, and counted when a stream tells none', async (t) => {
    const world = await makeWorld(gateway, t);
    const honest = await readAnswer(
      await chat(world, 'how much? [[once-fail 400]]').then(() => chat(world, 'how much?')),
    );
    const whole = await chat(world, 'how much? [[no-usage]]');
    await readAnswer(whole);
    const estimated = await requestOf(gateway, whole);
    assert.equal(estimated.usage_source, 'estimated');
    assertPlausible(estimated.usage, honest.usage, 5);
    assert.equal(computed(estimated.arithmetic), nano(estimated.charge));

    const streamed = await chat(world, 'how much? [[no-usage]]', { stream: true });
    const { events } = await readStream(streamed);
    const counted = await requestOf(gateway, streamed);
    assert.equal(counted.usage_source, 'counted');
    const spoken = events.filter((event) => (event.choices?.[0]?.delta.content ?? '') !== '').length;
    const output = Number(counted.usage?.['output_tokens']);
    assert.ok(output >= spoken && output <= spoken + 1, `${output} for ${spoken} pieces`);
  });

  for (const lie of ['negative', 'absurd', 'text', 'fraction']) {
    for (const stream of [false, true]) {
      test(`does not believe ${lie} usage of a ${stream ? 'stream' : 'whole answer'}`, async (t) => {
        const world = await makeWorld(gateway, t);
        const { usage } = await readAnswer(await chat(world, 'honest'));
        const response = await chat(world, `honest [[usage-${lie}]]`, { stream });
        await response.text();
        assert.equal(response.status, 200);
        const logged = await requestOf(gateway, response);
        assert.notEqual(logged.usage_source, 'upstream');
        assertPlausible(logged.usage, usage, 10);
        assert.equal(computed(logged.arithmetic), nano(logged.charge));
      });
    }
  }

  test('is for what was delivered, whatever max_tokens said (promise M-10)', async (t) => {
    const world = await makeWorld(gateway, t);
    const response = await chat(world, '[[big 20000]]', { max_tokens: 7 });
    const delivered = Math.ceil((await response.text()).length / 4);
    const logged = await requestOf(gateway, response);
    const charged = Number(logged.usage?.['output_tokens']);
    assert.ok(charged > 7 && charged <= delivered, `${charged} charged, ${delivered} delivered at the most`);
  });

  for (const usage of [
    { prompt_tokens: 2_000_000_000, completion_tokens: 3 },
    { prompt_tokens: 12, completion_tokens: 2_000_000_000 },
  ]) {
    test(`does not believe counts that so short a call cannot have: ${JSON.stringify(usage)}`, async (t) => {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }];
      const base_url = await startStub(t, (_, response) =>
        sendJson(response, 200, { id: 'x', object: 'chat.completion', created: 1, model: 'x', choices, usage }),
      );
      const world = await makeWorld(gateway, t, { credit: '1000', channels: [{ base_url }] });
      await readAnswer(await chat(world, 'short'));
      const { hold = 0n, settle = 0n } = await entriesOf(world);
      assert.ok(settle > 0n && settle <= hold, `held ${hold}, charged ${settle}`);
    });
  }

  for (const isNamed of [true, false])
    test(`${isNamed ? 'believes' : 'cuts'} a long input ${isNamed ? 'of' : 'without'} media that the upstream fetches`, async (t) => {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }];
      const usage = { prompt_tokens: 300_000, completion_tokens: 3 };
      const base_url = await startStub(t, (_, response) =>
        sendJson(response, 200, { id: 'x', object: 'chat.completion', created: 1, model: 'x', choices, usage }),
      );
      const world = await makeWorld(gateway, t, { channels: [{ base_url }] });
      const video = { type: 'video_url', video_url: { url: 'https://example.com/long.mp4' } };
      const content = [{ type: 'text', text: 'what happens?' }, ...(isNamed ? [video] : [])];
      const response = await chat(world, '', { messages: [{ role: 'user', content }] });
      await readAnswer(response);
      const logged = await requestOf(gateway, response);
      assert.equal(logged.usage_source, isNamed ? 'upstream' : 'bounded');
      assert.equal(logged.usage?.['input_tokens'] === 300_000, isNamed);
      assert.equal(computed(logged.arithmetic), nano(logged.charge));
    });

  test('is held before the upstream is asked, at the price of that moment', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'slow-1500' }] });
    const asked = chat(world, 'wait for it');
    await waitUntil(() => world.calls().length === 1, 'the upstream was not asked');
    const entries = await ledgerOf(gateway, { account_id: world.account.id });
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['credit', 'hold'],
    );
    const held = nano(entries[1]?.amount ?? '0');
    assert.ok(held > 0n);
    assert.equal(nano(await balanceOf(gateway, world.account.id)), nano('100') - held);
    await gateway.operator('PUT', `/models/${world.model}`, {
      price: { unit: 'tokens', input: '900', output: '900' },
    });
    const response = await asked;
    const { usage } = await readAnswer(response);
    const logged = await requestOf(gateway, response);
    assert.equal(nano(logged.charge), priceOf(usage));
    assert.equal(entries[1]?.request_id, response.headers.get('x-request-id'));
  });

  test('balance or quota that does not cover the hold: 402, and nobody is asked', async (t) => {
    const world = await makeWorld(gateway, t, { credit: '0.00001' });
    const error = await readError(await chat(world, 'too dear'), 402, 'insufficient_quota');
    assert.match(error.message, /balance/);
    const rich = await makeWorld(gateway, t, { token: { quota: '0.00001' } });
    assert.match((await readError(await chat(rich, 'too dear'), 402, 'insufficient_quota')).message, /quota/);
    const { key } = await makeToken(gateway, { account_id: rich.account.id });
    await readAnswer(await chat({ ...rich, key }, 'another token of the account'));
    assert.equal(world.calls().length, 0);
    assert.equal(rich.calls().length, 1);
  });
});

/** Within the given factor of the honest counts; never nothing. */
function assertPlausible(used: Record<string, unknown> | null, honest: Usage | undefined, factor: number): void {
  assert.ok(honest);
  const pairs = [
    [Number(used?.['input_tokens']), honest.prompt_tokens],
    [Number(used?.['output_tokens']), honest.completion_tokens],
  ] as const;
  for (const [counted, real] of pairs)
    assert.ok(counted >= real / factor && counted <= real * factor, `${JSON.stringify(used)}, really ${real}`);
}

function priceOf(usage: Usage | undefined): bigint {
  assert.ok(usage);
  return BigInt(usage.prompt_tokens) * 2_500n + BigInt(usage.completion_tokens) * 10_000n;
}
