import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CohereClientV2 } from 'cohere-ai';
import { startSandbox } from '../server.ts';
import { call, type CallOptions } from '../test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const documents = [
  'Paris is the capital of France.',
  'Bananas are rich in potassium.',
  'The capital city of Germany is Berlin.',
  { text: 'France borders Spain.' },
];
const body = { model: 'rerank-english-v3.0', query: 'What is the capital of France?', documents };
type Answer = {
  id?: string;
  model?: string;
  results: { index: number; relevance_score: number; document?: { text: string } }[];
  meta?: { billed_units?: object };
  usage?: { total_tokens: number };
};
const ask = (fields: object, options: CallOptions = {}) =>
  call(sandbox, { ...body, ...fields }, { provider: 'rerank', path: '/rerank', ...options });
const rank = async (fields: object, options: CallOptions = {}) =>
  JSON.parse((await ask(fields, options)).text) as Answer;

test('scores lie in [0, 1], best first, by the words shared with the query', async () => {
  assert.equal(sandbox.baseUrl('rerank'), `${sandbox.address}/rerank/v1`);
  const { id, results, meta } = await rank({});
  assert.match(id ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(results[0]?.index, 0);
  assert.equal(results.at(-1)?.index, 1);
  const scores = results.map((result) => result.relevance_score);
  assert.deepEqual(
    scores,
    scores.toSorted((one, other) => other - one),
  );
  assert.ok(scores.every((score) => score >= 0 && score <= 1));
  assert.deepEqual(meta?.billed_units, { search_units: 1 });
  assert.ok(results.every(({ document }) => document === undefined));
});

test('top_n and return_documents are honoured, and the other shape is chosen by directive', async () => {
  const two = await rank({ top_n: 2, return_documents: true });
  assert.deepEqual([two.results.length, two.results[0]?.document], [2, { text: 'Paris is the capital of France.' }]);
  const jina = await rank({ top_n: 9 }, { directive: 'shape-jina' });
  assert.deepEqual([jina.model, jina.meta, jina.results.length], [body.model, undefined, 4]);
  assert.ok((jina.usage?.total_tokens ?? 0) > 10 && jina.results[3]?.document);
  const inQuery = await rank({ query: `${body.query} [[shape-jina]]` });
  assert.deepEqual(inQuery.results, jina.results);
  assert.equal((await rank({}, { directive: 'no-usage' })).meta?.billed_units, undefined);
});

test('what is missing or wrong is refused in the vendors’ shape', async () => {
  const wrong: object[] = [
    { query: undefined },
    { query: '' },
    { documents: undefined },
    { documents: [] },
    { documents: 'x' },
    { documents: [5] },
    { documents: [{ title: 'x' }] },
    { top_n: 0 },
    { model: undefined },
  ];
  for (const fields of wrong) {
    const got = await ask(fields);
    assert.equal(got.status, 400, JSON.stringify(fields));
    assert.deepEqual(Object.keys(JSON.parse(got.text) as object), ['message']);
  }
  assert.equal((await ask({ model: 'nope' })).status, 404);
  assert.equal((await ask({}, { key: 'bad' })).status, 401);
  assert.equal((await ask({}, { directive: 'rate-limited-3' })).headers['retry-after'], '3');
});

test('the vendor’s own library reads it', async () => {
  const client = new CohereClientV2({ token: 'sandbox', environment: `${sandbox.address}/rerank` });
  const texts = documents.map((one) => (typeof one === 'string' ? one : one.text));
  const answer = await client.rerank({ model: body.model, query: body.query, documents: texts, topN: 2 });
  assert.equal(answer.results[0]?.index, 0);
  assert.equal(answer.results.length, 2);
  assert.equal(answer.meta?.billedUnits?.searchUnits, 1);
});
