// Rate policies as callers meet them (contract 4): of tokens, accounts and channels, in one process.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, readAnswer, readError, readStream } from './support/chat.ts';
import { requestOf } from './support/money.ts';
import { waitUntil } from './support/wait.ts';
import { makeToken, makeWorld, suiteGateway } from './support/world.ts';

const ADVICE = /reduce concurrency and retry with exponential backoff/i;

function rateOf(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => name.includes('ratelimit')));
}

describe('rate policies', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();

  test('a token has its requests per minute, and answers tell how far they are used', async (t) => {
    const world = await makeWorld(gateway, t, { token: { rate: { rpm: 2 } } });
    for (const remaining of ['1', '0']) {
      const response = await chat(world, 'hello', { stream: remaining === '0' });
      await response.text();
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('x-ratelimit-limit-requests'), '2');
      assert.equal(response.headers.get('x-ratelimit-remaining-requests'), remaining);
      assert.match(response.headers.get('x-ratelimit-reset-requests') ?? '', /^(1m)?[\d.]+s$/);
    }
    const refused = await chat(world, 'hello');
    const { message } = await readError(refused, 429, 'rate_limit_exceeded');
    assert.match(message, ADVICE);
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds >= 50 && seconds <= 61, `retry after ${seconds}`);
    assert.equal(refused.headers.get('x-ratelimit-remaining-requests'), '0');
    assert.equal(world.calls().length, 2);
    assert.equal((await requestOf(gateway, refused)).error_code, 'rate_limit_exceeded');
  });

  test('without a policy nothing is said of limits', async (t) => {
    const world = await makeWorld(gateway, t);
    const response = await chat(world, 'hello');
    await readAnswer(response);
    assert.deepEqual(rateOf(response), {});
  });

  test('on /v1/messages the refusal and the headers are in the words of that protocol', async (t) => {
    const world = await makeWorld(gateway, t, {
      token: { rate: { rpm: 1, tpm: 5000 } },
      channels: [{ provider: 'anthropic', base_url: gateway.upstream.baseUrl('anthropic') }],
    });
    const body = { max_tokens: 20 };
    const init = { path: '/v1/messages', headers: { 'anthropic-version': '2023-06-01' } };
    const first = await chat(world, 'hello', body, init);
    assert.equal(first.status, 200, await first.text());
    assert.equal(first.headers.get('anthropic-ratelimit-requests-remaining'), '0');
    assert.equal(first.headers.get('anthropic-ratelimit-tokens-limit'), '5000');
    const refused = await chat(world, 'hello', body, init);
    assert.equal(refused.status, 429);
    assert.ok(refused.headers.has('retry-after'));
    assert.match(refused.headers.get('anthropic-ratelimit-requests-reset') ?? '', /^\d{4}-\d\d-\d\dT.*Z$/);
    const { type, error } = (await refused.json()) as { type: string; error: { type: string; message: string } };
    assert.deepEqual([type, error.type], ['error', 'rate_limit_error']);
    assert.match(error.message, ADVICE);
  });

  test('tokens per minute count the input at once and the output when it is known', async (t) => {
    const world = await makeWorld(gateway, t, { token: { rate: { tpm: 300 } } });
    const response = await chat(world, 'word '.repeat(100));
    const { usage } = await readAnswer(response);
    assert.ok(usage);
    const likely = 300 - Number(response.headers.get('x-ratelimit-remaining-tokens'));
    assert.ok(likely > 50 && likely < 300, `${likely} tokens at admission`);
    let spent = usage.prompt_tokens + usage.completion_tokens;
    const next = await chat(world, 'hi');
    if (next.status === 200) {
      await next.text();
      const small = 300 - spent - Number(next.headers.get('x-ratelimit-remaining-tokens'));
      assert.ok(small > 0 && small < 60, `${small} more than the true use before`);
      spent += small;
    }
    const refused = await chat(world, 'word '.repeat(200));
    await readError(refused, 429, 'rate_limit_exceeded');
    assert.ok(Number(refused.headers.get('x-ratelimit-remaining-tokens')) <= 300 - spent);
  });

  test('a prompt above the limit of tokens per minute is refused with the advice to be smaller', async (t) => {
    const world = await makeWorld(gateway, t, { token: { rate: { tpm: 20 } } });
    const { message } = await readError(await chat(world, 'word '.repeat(100)), 429, 'rate_limit_exceeded');
    assert.match(message, /smaller/);
  });

  test('concurrent requests are limited until one ends, also when its client leaves', async (t) => {
    const world = await makeWorld(gateway, t, {
      token: { rate: { concurrency: 1 } },
      channels: [{ behave: 'slow-600' }],
    });
    const running = chat(world, 'hello', { stream: true });
    await waitUntil(() => world.calls().length === 1, 'the first call does not arrive');
    const refused = await chat(world, 'hello');
    await readError(refused, 429, 'rate_limit_exceeded');
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(refused.headers.get('x-ratelimit-limit-concurrency'), '1');
    assert.equal(refused.headers.get('x-ratelimit-remaining-concurrency'), '0');
    await readStream(await running);
    const gone = new AbortController();
    const left = chat(world, 'hello', {}, { signal: gone.signal });
    await waitUntil(() => world.calls().length === 2, 'the second call does not arrive');
    gone.abort();
    await left.catch(() => {});
    await waitUntil(async () => (await chat(world, 'hello')).status === 200, 'its slot stays taken');
  });

  test('an account has a policy over all its tokens, and test tokens count apart', async (t) => {
    const world = await makeWorld(gateway, t, { account: { rate: { rpm: 2 } } });
    const other = await makeToken(gateway, { account_id: world.account.id });
    await readAnswer(await chat(world, 'one'));
    await readAnswer(await chat({ ...world, key: other.key }, 'two'));
    await readError(await chat(world, 'three'), 429, 'rate_limit_exceeded');
    const tester = await makeToken(gateway, { account_id: world.account.id, mode: 'test' });
    const response = await chat({ ...world, key: tester.key, model: 'sandbox-chat' }, 'apart');
    await readAnswer(response);
    assert.equal(response.headers.get('x-ratelimit-remaining-requests'), '1');
    await gateway.operator('PATCH', `/accounts/${world.account.id}`, { rate: null });
    await readAnswer(await chat(world, 'free'));
  });

  test('a channel whose calls per minute are used up is passed over; when all are, 503 says when to come again', async (t) => {
    const world = await makeWorld(gateway, t, {
      channels: [
        { priority: 9, options: { rpm: 2 } },
        { priority: 1, options: { rpm: 1 } },
      ],
    });
    for (let i = 0; i < 3; i++) await readAnswer(await chat(world, 'hello'));
    assert.deepEqual([world.calls(0).length, world.calls(1).length], [2, 1]);
    const refused = await chat(world, 'hello');
    await readError(refused, 503, 'no_channel_available');
    assert.ok(Number(refused.headers.get('retry-after')) > 30);
  });
});
