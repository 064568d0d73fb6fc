import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../protocols/protocol.ts';
import { headersOf } from '../../testing/built-headers.ts';
import { writtenText } from '../../testing/written-text.ts';
import { gemini } from './provider.ts';

const path = (operation: Operation, model: string, stream = false): string => {
  const known = gemini.paths[operation];
  assert.ok(typeof known === 'function');
  return known(model, stream, { baseUrl: '', options: {}, credential: '' });
};

test('paths name the model, and a stream is always asked for as events', () => {
  assert.equal(path('generate-content', 'gemini-2.5-flash'), '/v1beta/models/gemini-2.5-flash:generateContent');
  assert.equal(path('generate-content', 'm', true), '/v1beta/models/m:streamGenerateContent?alt=sse');
  assert.equal(path('count-content', 'm'), '/v1beta/models/m:countTokens');
  assert.equal(path('embed-content', 'm'), '/v1beta/models/m:embedContent');
  assert.equal(path('batch-embed-contents', 'm'), '/v1beta/models/m:batchEmbedContents');
  assert.equal(path('generate-content', 'tunedModels/a b?c'), '/v1beta/tunedModels/a%20b%3Fc:generateContent');
});

test('the key goes into its own header, and none where there is none', () => {
  assert.deepEqual(headersOf(gemini, 'k'), { 'x-goog-api-key': 'k' });
  assert.deepEqual(headersOf(gemini, ''), {});
});

test('the test of a channel asks for one token', () => {
  assert.ok('request' in gemini.test);
  const request = gemini.test.request('m');
  assert.deepEqual([request.model, request.stream, request.maxOutputTokens], ['m', false, 1]);
  assert.match(writtenText(request.write({ upstreamModel: 'm', dropFields: [] })), /"maxOutputTokens":1/);
});
