import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headersOf } from '../../testing/built-headers.ts';
import { writtenText } from '../../testing/written-text.ts';
import { anthropic } from './provider.ts';

test('the key goes in its own header, beside the version that the protocol requires (spec 5)', () => {
  assert.deepEqual(headersOf(anthropic, 'k'), { 'anthropic-version': '2023-06-01', 'x-api-key': 'k' });
  assert.deepEqual(headersOf(anthropic, ''), { 'anthropic-version': '2023-06-01' });
});

test("the caller's version wins over the fixed one (contract-2 7)", () => {
  const asked = headersOf(anthropic, 'k', { 'anthropic-version': '2024-01-01' });
  assert.equal(asked['anthropic-version'], '2024-01-01');
});

test('a channel is tested with a request for one token', () => {
  assert.ok('request' in anthropic.test);
  const request = anthropic.test.request('m');
  assert.deepEqual(JSON.parse(writtenText(request.write({ upstreamModel: 'up', dropFields: [] }))), {
    model: 'up',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'ping' }],
  });
});
