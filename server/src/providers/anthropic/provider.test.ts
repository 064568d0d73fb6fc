import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenText } from '../../testing/written-text.ts';
import { anthropic } from './provider.ts';

test('the key goes in its own header, beside the version that the protocol requires (spec 5)', () => {
  assert.deepEqual(anthropic.authHeaders('k'), { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' });
  assert.deepEqual(anthropic.authHeaders(''), { 'anthropic-version': '2023-06-01' });
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
