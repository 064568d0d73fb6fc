import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import { assertRefused } from '../../testing/refusals.ts';
import { writtenText } from '../../testing/written-text.ts';
import { readRerank, rerank } from './index.ts';
import type { RerankAnswer } from './wire.ts';

const DOCUMENTS = '"documents":["alpha",{"text":"beta","title":"b"},"gamma"]';
const read = (fields = '', style: 'plain' | 'v2' = 'plain') =>
  readRerank(Buffer.from(`{"model":"m","query":"q",${DOCUMENTS}${fields}}`), style);
const refuses = (text: string, message: string, param: string): void =>
  assertRefused(() => readRerank(Buffer.from(text), 'plain'), message, param);

function write(answer: unknown, fields = '', style: 'plain' | 'v2' = 'plain'): RerankAnswer | undefined {
  const written = read(fields, style).writeAnswer?.(Buffer.from(JSON.stringify(answer)));
  return written === undefined ? undefined : (JSON.parse(String(written)) as RerankAnswer);
}

describe('a rerank request', () => {
  test('holds nothing for output, and the query once with every document', () => {
    const request = read();
    const bytes = `{"model":"m","query":"q",${DOCUMENTS}}`.length;
    assert.deepEqual([request.model, request.stream, request.maxOutputTokens], ['m', false, 0]);
    assert.equal(request.inputBytes, bytes + 2 * '"q"'.length);
  });

  test('is refused by the field that is missing, empty or of the wrong type (contract 5)', () => {
    refuses('{"query":"q","documents":["a"]}', "'model' is required.", 'model');
    refuses('{"model":"m","documents":["a"]}', "'query' is required.", 'query');
    refuses('{"model":"m","query":"","documents":["a"]}', "'query' is required.", 'query');
    refuses('{"model":"m","query":["q"],"documents":["a"]}', "'query' must be a string.", 'query');
    refuses('{"model":"m","query":"q"}', "'documents' is required.", 'documents');
    refuses('{"model":"m","query":"q","documents":[]}', "'documents' must not be empty.", 'documents');
    refuses('{"model":"m","query":"q","documents":"a"}', "'documents' must be an array.", 'documents');
    for (const wrong of ['7', 'null', '{"title":"x"}', '{"text":1}', '["a"]']) {
      const message = "'documents[1]' must be a string or an object with a 'text'.";
      refuses(`{"model":"m","query":"q","documents":["a",${wrong}]}`, message, 'documents[1]');
    }
    const start = '{"model":"m","query":"q","documents":["a"]';
    refuses(`${start},"top_n":0}`, "'top_n' must be a whole number of at least 1.", 'top_n');
    refuses(`${start},"top_n":"1"}`, "'top_n' must be a whole number.", 'top_n');
    refuses(`${start},"return_documents":"no"}`, "'return_documents' must be true or false.", 'return_documents');
    refuses(`${start},"documents":["b"]}`, "'documents' is given more than once.", 'documents');
  });

  test('is written with only the model and the filtered fields changed', () => {
    const written = read(',"top_n":2,"max_chunks":3').write({
      upstreamModel: 'up',
      dropFields: ['max_chunks', 'query'],
    });
    assert.equal(writtenText(written), `{"model":"up","query":"q",${DOCUMENTS},"top_n":2}`);
  });
});

describe('a rerank answer', () => {
  const vendors = JSON.parse(readFileSync(new URL('__fixtures__/vendors.json', import.meta.url), 'utf8')) as Record<
    string,
    object
  >;
  const RANKED = [
    { index: 2, relevance_score: 0.98 },
    { index: 0, relevance_score: 0.31 },
    { index: 1, relevance_score: 0.02 },
  ];
  const TEXTS = ['alpha', 'beta', 'gamma'];

  for (const [shape, answer] of Object.entries(vendors)) {
    test(`has one shape out of a vendor's: ${shape}`, () => {
      const reported = rerank.readAnswer(Buffer.from(JSON.stringify(answer)), '');
      assert.equal(reported?.hasError, false);
      const bySearch = /search units|no usage/.test(shape);
      assert.deepEqual(reported?.usage, bySearch ? undefined : { ...NO_USAGE, input: 38 });
      const searches = shape.startsWith('tokens in meta') ? 0 : 1;
      const tokens = bySearch ? {} : { prompt_tokens: 38, total_tokens: 38 };
      const plain = { model: 'm', results: RANKED, usage: { ...tokens, search_units: searches } };
      assert.deepEqual(write(answer), plain);
      const withDocuments = RANKED.map((one) => ({ ...one, document: { text: TEXTS[one.index] } }));
      assert.deepEqual(write(answer, ',"return_documents":true'), { ...plain, results: withDocuments });
      assert.deepEqual(write(answer, ',"top_n":1')?.results, RANKED.slice(0, 1));
      assert.deepEqual(write(answer, ',"top_n":9')?.results, RANKED);
    });
  }

  test('shows id and meta where the newer library posts', () => {
    const answer = vendors['results, scores and search units'];
    const { id, meta } = write(answer, '', 'v2') ?? {};
    assert.equal(id, '07734bd2-2473-4f07-94e1-0d9f0e6843cf');
    assert.deepEqual(meta, { api_version: { version: '2' }, billed_units: { search_units: 1 } });
    assert.equal(write(vendors['results in output'], '', 'v2')?.id, '85ba5752-1900-47d2-8896-23f99b13f6e1');
  });

  test('is none when results are missing, unreadable, doubled or about documents that were not sent', () => {
    const broken = [
      {},
      { results: 'none' },
      { results: [{ index: 0 }] },
      { results: [{ relevance_score: 1 }] },
      { results: [{ index: -1, relevance_score: 1 }] },
      { results: [{ index: 0, relevance_score: '0.5' }] },
      { results: [{ index: 3, relevance_score: 1 }] },
      { results: [RANKED[0], RANKED[0]] },
      [RANKED[0], RANKED[0]],
      [[RANKED[0]]],
      ['alpha'],
      { output: RANKED },
      { output: { results: [{ index: 3, relevance_score: 1 }] } },
      { output: { text: 'gamma' } },
    ];
    for (const answer of broken) assert.equal(write(answer), undefined, JSON.stringify(answer));
    assert.equal(rerank.readAnswer(Buffer.from('<html>'), ''), undefined);
    assert.equal(rerank.readAnswer(Buffer.from('{"results":7}'), ''), undefined);
    assert.equal(rerank.readAnswer(Buffer.from('{"error":{"message":"no"}}'), '')?.hasError, true);
  });

  test('says nothing of usage that cannot be true', () => {
    for (const total of [-1, 1e18, '38', 3.5]) {
      const answer = { results: RANKED, usage: { total_tokens: total } };
      assert.equal(rerank.readAnswer(Buffer.from(JSON.stringify(answer)), '')?.usage, undefined);
    }
  });
});
