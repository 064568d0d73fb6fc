// POST /v1/quote: what a request would cost, and how that agrees with what it then costs (contract 6).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chat, chatBody, postChat, readAnswer, readError } from './support/chat.ts';
import { balanceOf, ledgerOf, nano, requestOf } from './support/money.ts';
import { sendJson, startStub } from './support/stub.ts';
import { makeToken, makeWorld, suiteGateway, uniqueName, type World } from './support/world.ts';

interface Quote {
  endpoint: string;
  object: string;
  model: string;
  amount: string;
  arithmetic: string;
  exact: boolean;
  multiplier: string;
  usage: Record<string, number>;
}

const post = (world: World, body: unknown): Promise<Response> =>
  postChat(world, JSON.stringify(body), { path: '/v1/quote' });

async function quoteOf(world: World, endpoint: string, body: object): Promise<Quote> {
  const response = await post(world, { endpoint, body });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as Quote;
}

describe('a quote', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();

  test('of a chat is what is then held, and no less than what is charged; nobody is asked', async (t) => {
    const group = uniqueName('group');
    await gateway.operator('PUT', `/groups/${group}`, { multiplier: '1.5' });
    const world = await makeWorld(gateway, t, { account: { group } });
    const body = chatBody(world.model, 'how much is it?', { max_tokens: 50 });
    const quote = await quoteOf(world, '/v1/chat/completions', body);
    assert.deepEqual([quote.object, quote.model, quote.multiplier, quote.exact], ['quote', world.model, '1.5', false]);
    assert.match(quote.arithmetic, /input x 2\.5 \+ 50 output x 10\) \/ 1000000 x 1\.5/);
    assert.equal(world.calls().length, 0);
    assert.equal(await balanceOf(gateway, world.account.id), '100');
    assert.equal((await ledgerOf(gateway, { account_id: world.account.id })).length, 1);

    const response = await chat(world, 'how much is it?', { max_tokens: 50 });
    await readAnswer(response);
    const hold = (await ledgerOf(gateway, { account_id: world.account.id })).find(({ kind }) => kind === 'hold');
    assert.equal(hold?.amount, quote.amount);
    assert.ok(nano((await requestOf(gateway, response)).charge) <= nano(quote.amount));
  });

  test('of a chat that may answer with sound is what is held, and covers an answer that is all sound', async (t) => {
    const choices = [{ index: 0, message: { role: 'assistant', content: null }, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 9, completion_tokens: 50, completion_tokens_details: { audio_tokens: 50 } };
    const base_url = await startStub(t, (_, response) =>
      sendJson(response, 200, { id: 'x', object: 'chat.completion', created: 1, model: 'x', choices, usage }),
    );
    const price = { unit: 'tokens', input: '2.5', output: '10', audio_output: '80' } as const;
    const world = await makeWorld(gateway, t, { model: { price }, channels: [{ base_url }] });
    const sound = { max_tokens: 50, modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } };
    const quote = await quoteOf(world, '/v1/chat/completions', chatBody(world.model, 'sing', sound));
    assert.match(quote.arithmetic, /0 output x 10 \+ 50 audio_output x 80\)/);
    const response = await chat(world, 'sing', sound);
    await readAnswer(response);
    const hold = (await ledgerOf(gateway, { account_id: world.account.id })).find(({ kind }) => kind === 'hold');
    assert.equal(hold?.amount, quote.amount);
    const { charge } = await requestOf(gateway, response);
    assert.ok(nano(charge) >= 50n * 80_000n && nano(charge) <= nano(quote.amount), charge);
  });

  test('of an open text for a token with little left is what would be held, covered or not (contract 6)', async (t) => {
    const world = await makeWorld(gateway, t);
    const body = chatBody(world.model, 'x');
    const usual = await quoteOf(world, '/v1/chat/completions', body);
    assert.equal(usual.usage['output_tokens'], 4_096);
    const poor = { ...world, ...(await makeToken(gateway, { account_id: world.account.id, quota: '0.1' })) };
    const quote = await quoteOf(poor, '/v1/chat/completions', body);
    assert.equal(quote.usage['output_tokens'], 32_768);
    const { message } = await readError(await chat(poor, 'x'), 402, 'insufficient_quota');
    assert.ok(message.includes(`may cost up to ${quote.amount}.`), `${quote.amount}: ${message}`);
    const enough = { ...world, ...(await makeToken(gateway, { account_id: world.account.id, quota: quote.amount })) };
    assert.equal((await quoteOf(enough, '/v1/chat/completions', body)).amount, usual.amount);
  });

  test('of a text that is fitted to what is left is the fitted hold', async (t) => {
    const world = await makeWorld(gateway, t);
    const options = { fit_balance: true };
    const token = await makeToken(gateway, { account_id: world.account.id, quota: '0.03', options });
    const fitting = { ...world, ...token };
    const quote = await quoteOf(fitting, '/v1/chat/completions', chatBody(world.model, 'x'));
    assert.ok(nano(quote.amount) <= nano('0.03'), quote.amount);
    await readAnswer(await chat(fitting, 'x'));
    const hold = (await ledgerOf(gateway, { account_id: world.account.id })).find(({ kind }) => kind === 'hold');
    assert.equal(hold?.amount, quote.amount);
  });

  test('of an image is its charge', async (t) => {
    const price = { unit: 'image', amount: '0.04', by: { '256x256': '0.01' } } as const;
    const world = await makeWorld(gateway, t, { model: { price } });
    const body = { model: world.model, prompt: 'x', n: 3, size: '256x256' };
    const quote = await quoteOf(world, '/v1/images/generations', body);
    assert.deepEqual([quote.amount, quote.exact, quote.arithmetic], ['0.03', true, '3 images of 256x256 x 0.01']);
    const response = await postChat(world, JSON.stringify(body), { path: '/v1/images/generations' });
    assert.equal(response.status, 200, await response.text());
    assert.equal((await requestOf(gateway, response)).charge, quote.amount);
  });

  test('of speech and rerank is their charge too', async (t) => {
    const speech = await makeWorld(gateway, t, { model: { price: { unit: 'characters', amount: '15' } } });
    const spoken = await quoteOf(speech, '/v1/audio/speech', { model: speech.model, input: 'hello', voice: 'alloy' });
    assert.equal(spoken.amount, '0.000075');
    const ranked = await makeWorld(gateway, t, { model: { price: { unit: 'search', amount: '0.002' } } });
    const body = { model: ranked.model, query: 'q', documents: ['a', 'b'] };
    assert.equal((await quoteOf(ranked, '/v1/rerank', body)).amount, '0.002');
  });

  test('is refused as the request itself would be, and by name', async (t) => {
    const world = await makeWorld(gateway, t);
    const messages = [{ role: 'user', content: 'x' }];
    const cases: [unknown, number, string, string | null][] = [
      [{ body: {} }, 400, 'invalid_request', 'endpoint'],
      [{ endpoint: '/v1/nothing', body: {} }, 400, 'invalid_request', 'endpoint'],
      [{ endpoint: 'toString', body: {} }, 400, 'invalid_request', 'endpoint'],
      [{ endpoint: '/v1/chat/completions' }, 400, 'invalid_request', 'body'],
      [{ endpoint: '/v1/chat/completions', body: 'text' }, 400, 'invalid_request', 'body'],
      [{ endpoint: '/v1/chat/completions', body: { model: world.model } }, 400, 'invalid_request', 'messages'],
      [{ endpoint: '/v1/chat/completions', body: { model: 'none', messages } }, 404, 'model_not_found', 'model'],
    ];
    for (const [body, status, code, param] of cases)
      assert.equal((await readError(await post(world, body), status, code)).param, param);
  });
});
