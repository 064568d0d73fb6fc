// POST /v1/rerank, /v2/rerank and /rerank: one shape out of the vendors' shapes, and the cohere library is content with it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CohereClient, CohereClientV2 } from 'cohere-ai';
import { assertCharged, checkEndpoint, moneyOf, post, SMALL_BODY_MB } from './support/endpoint-checks.ts';
import { requestsOf } from './support/money.ts';
import { sendJson, startStub } from './support/stub.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { type ChannelOptions, makeWorld, suiteGateway, type WorldOptions } from './support/world.ts';

interface Ranking {
  model: string;
  results: { index: number; relevance_score: number; document?: { text: string } }[];
  usage: { total_tokens?: number; search_units: number };
}

const QUERY = 'capital of France';
const DOCUMENTS = [
  'Bananas are yellow',
  'Paris is the capital of France',
  { text: 'Berlin is the capital of Germany' },
];
const BODY = { query: QUERY, documents: DOCUMENTS };
const PRICE = { unit: 'search', amount: '0.002' } as const;

describe('rerank', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_MAX_BODY_MB: SMALL_BODY_MB } });
  watchAnswers(gateway);
  const channel = (behave?: string): ChannelOptions => ({
    provider: 'rerank',
    base_url: gateway.upstream.baseUrl('rerank', behave),
  });
  const options = (behave?: string, model: WorldOptions['model'] = { price: PRICE }): WorldOptions => ({
    model,
    channels: [channel(behave)],
  });

  for (const path of ['/v1/rerank', '/rerank']) {
    test(`POST ${path} orders documents and is charged as one search (contract 5, 6)`, async (t) => {
      const world = await makeWorld(gateway, t, options());
      const response = await post(world, path, BODY);
      const ranking = (await response.json()) as Ranking;
      assert.deepEqual(Object.keys(ranking).sort(), ['model', 'results', 'usage']);
      assert.equal(ranking.model, world.model);
      assert.deepEqual(
        ranking.results.map(({ index }) => index),
        [1, 2, 0],
      );
      for (const result of ranking.results) assert.deepEqual(Object.keys(result), ['index', 'relevance_score']);
      assert.deepEqual(ranking.usage, { search_units: 1 });
      const logged = await assertCharged(world, response, 2_000_000n);
      assert.equal(logged.arithmetic, '1 searches x 0.002');
      assert.equal(logged.usage?.['searches'], 1);
    });
  }

  test('has the same shape from a vendor that counts tokens and always sends documents', async (t) => {
    const price = { unit: 'tokens', input: '20', output: '0' } as const;
    const world = await makeWorld(gateway, t, options('shape-jina', { price }));
    const response = await post(world, '/v1/rerank', { ...BODY, top_n: 2 });
    const ranking = (await response.json()) as Ranking;
    assert.deepEqual(
      ranking.results.map(({ index, document }) => [index, document]),
      [
        [1, undefined],
        [2, undefined],
      ],
    );
    const tokens = ranking.usage.total_tokens ?? 0;
    assert.ok(tokens > 0);
    const logged = await assertCharged(world, response, BigInt(tokens) * 20_000n);
    assert.deepEqual(
      [logged.usage_source, logged.usage],
      ['upstream', { input_tokens: tokens, output_tokens: 0, searches: 1 }],
    );
  });

  test('shows documents when asked, cut to top_n, also when the vendor leaves them out', async (t) => {
    const base_url = await startStub(t, (_request, response) =>
      sendJson(response, 200, {
        data: [0, 1, 2].map((index) => ({ index, score: index / 10 })),
        usage: { prompt_tokens: 9 },
      }),
    );
    const channels = [{ provider: 'rerank' as const, base_url }];
    const world = await makeWorld(gateway, t, { model: { price: PRICE }, channels });
    const response = await post(world, '/v1/rerank', { ...BODY, top_n: 2, return_documents: true });
    const { results } = (await response.json()) as Ranking;
    assert.deepEqual(results, [
      { index: 2, relevance_score: 0.2, document: { text: 'Berlin is the capital of Germany' } },
      { index: 1, relevance_score: 0.1, document: { text: 'Paris is the capital of France' } },
    ]);
  });

  test('reads a vendor that answers with a bare list, and one that answers inside output', async (t) => {
    const list = [0, 1, 2].map((index) => ({ index, score: index / 10 }));
    for (const answer of [list, { output: { results: list }, request_id: 'r', usage: { total_tokens: 9 } }]) {
      const base_url = await startStub(t, (_request, response) => sendJson(response, 200, answer));
      const channels = [{ provider: 'rerank' as const, base_url }];
      const world = await makeWorld(gateway, t, { model: { price: PRICE }, channels });
      const response = await post(world, '/v1/rerank', { ...BODY, top_n: 1 });
      const { results } = (await response.clone().json()) as Ranking;
      assert.deepEqual(results, [{ index: 2, relevance_score: 0.2 }]);
      await assertCharged(world, response, 2_000_000n);
    }
  });

  test('an answer about documents that were not sent is not believed', async (t) => {
    const base_url = await startStub(t, (_request, response) =>
      sendJson(response, 200, { results: [{ index: 7, relevance_score: 1 }] }),
    );
    const channels = [{ provider: 'rerank' as const, base_url, priority: 5 }, channel()];
    const world = await makeWorld(gateway, t, { model: { price: PRICE }, channels });
    const response = await post(world, '/v1/rerank', BODY);
    assert.equal(((await response.json()) as Ranking).results.length, 3);
    const [logged] = await requestsOf(gateway, { account_id: world.account.id });
    assert.deepEqual(
      logged?.attempts.map(({ error }) => error),
      ['malformed', null],
    );
  });

  test('the cohere library of version 2 reads it', async (t) => {
    const world = await makeWorld(gateway, t, options());
    const cohere = new CohereClientV2({ token: world.key, environment: gateway.address });
    const documents = ['Bananas are yellow', 'Paris is the capital of France'];
    const answer = await cohere.rerank({ model: world.model, query: QUERY, documents, topN: 1 }, { maxRetries: 0 });
    assert.deepEqual(
      answer.results.map(({ index }) => index),
      [1],
    );
    assert.equal(typeof answer.results[0]?.relevanceScore, 'number');
    assert.equal(answer.meta?.billedUnits?.searchUnits, 1);
    assert.notEqual(answer.id, undefined);
    assert.equal((await moneyOf(world))['settle'], 2_000_000n);
    const [logged] = await requestsOf(gateway, { account_id: world.account.id });
    assert.equal(logged?.endpoint, '/v2/rerank');
  });

  test('the cohere library of version 1 reads it, with documents', async (t) => {
    const world = await makeWorld(gateway, t, options());
    const cohere = new CohereClient({ token: world.key, environment: gateway.address });
    const documents = ['Bananas are yellow', { text: 'Paris is the capital of France' }];
    const answer = await cohere.rerank({ model: world.model, query: QUERY, documents, returnDocuments: true });
    assert.equal(answer.results[0]?.document?.text, 'Paris is the capital of France');
  });

  test('the cohere library raises its errors', async (t) => {
    const world = await makeWorld(gateway, t, options());
    const cohere = new CohereClientV2({ token: world.key, environment: gateway.address });
    const asked = cohere.rerank({ model: world.model, query: QUERY, documents: [] }, { maxRetries: 0 });
    await assert.rejects(asked, (error) => (error as { statusCode?: number }).statusCode === 400);
  });

  test('a chat model cannot be asked to rerank', async (t) => {
    const world = await makeWorld(gateway, t);
    const response = await post(world, '/v1/rerank', BODY);
    assert.equal(response.status, 400, await response.text());
    assert.deepEqual(await moneyOf(world), {});
  });

  for (const path of ['/v1/rerank', '/v2/rerank']) {
    checkEndpoint(gateway, {
      path,
      body: BODY,
      required: ['model', 'query', 'documents'],
      wrong: { query: ['x'], documents: 'one', top_n: 'all', return_documents: 'yes' },
      world: { model: { price: PRICE } },
      channel,
    });
  }
});
