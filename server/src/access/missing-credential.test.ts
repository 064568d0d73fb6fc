import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CarrierStyle, RequestHeaders } from './credentials.ts';
import { missingCredential } from './missing-credential.ts';

const KEY = `sk-${'a'.repeat(48)}`;

function reported(style: CarrierStyle, headers: RequestHeaders = {}, query = ''): string {
  const error = missingCredential({ path: '/v1/x', headers, query }, style);
  assert.equal(error.code, 'missing_api_key');
  assert.ok(!error.message.includes(KEY), 'no secret in a message');
  return error.message;
}

test('a caller without a key learns where its endpoint reads one (spec 5)', () => {
  assert.equal(
    reported('compatible'),
    'No API key was given. Send it as "Authorization: Bearer <API_KEY>" or "x-api-key: <API_KEY>".',
  );
  assert.equal(
    reported('messages'),
    'No API key was given. Send it as "x-api-key: <API_KEY>" or "Authorization: Bearer <API_KEY>".',
  );
  assert.match(reported('generate-content'), /"x-goog-api-key: <API_KEY>", as the query "\?key=<API_KEY>" or as/);
});

test('a caller with a key in the wrong place learns that it is the wrong one', () => {
  const cases: [CarrierStyle, RequestHeaders, string, RegExp][] = [
    ['compatible', {}, `key=${KEY}`, /the query "key" is not read here/],
    ['compatible', { authorization: KEY }, '', /"Authorization" must begin with "Bearer" and a space/],
    ['messages', { authorization: `Basic ${KEY}` }, '', /must begin with "Bearer" and a space/],
    ['messages', { authorization: 'Bearer ' }, '', /nothing stands behind "Bearer"/],
  ];
  for (const [style, headers, query, expected] of cases) assert.match(reported(style, headers, query), expected);
  assert.match(reported('messages', { 'x-api-key': ' ' }), /^No API key was given\./);
});
