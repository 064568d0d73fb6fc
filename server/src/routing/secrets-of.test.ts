import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Candidate } from './route.ts';
import { secretsOf } from './secrets-of.ts';

const key = { secret: 'the-secret-of-the-key' };

function hidden(facts: { baseUrl: string; headers?: Record<string, string> }, text: string): string {
  const candidate = { channel: { facts: { headers: {}, ...facts } }, key } as unknown as Candidate;
  return secretsOf(candidate)?.hideText(text) ?? text;
}

test('a credential in the query of the base address is hidden like one in a header; a version is not', () => {
  const baseUrl = 'https://up.example/v1?api-version=2024-10-21&code=&api_key=hidden-in-query';
  const shown = hidden({ baseUrl }, 'api-version=2024-10-21&api_key=hidden-in-query the-secret-of-the-key');
  assert.match(shown, /^api-version=2024-10-21&api_key=\*+ \*+$/);
  const headers = { 'x-token': 'hidden-in-header' };
  assert.match(hidden({ baseUrl, headers }, 'hidden-in-header hidden-in-query'), /^\*+ \*+$/);
});

test('a base address that changes changes what is hidden', () => {
  assert.match(hidden({ baseUrl: 'https://up.example?token=first-token-1' }, 'first-token-1'), /^\*+$/);
  assert.equal(hidden({ baseUrl: 'https://up.example?token=other-token-2' }, 'first-token-1'), 'first-token-1');
});

test('parts of a credential are hidden as the whole is: fields of JSON that are secrets, and texts between colons', () => {
  const secret = JSON.stringify({ client_id: 'the-client-id-1', client_secret: 'the-client-secret-1' });
  const shown = (key: string, text: string): string => {
    const facts = { baseUrl: 'https://up.example', headers: {} };
    return secretsOf({ channel: { facts }, key: { secret: key } } as unknown as Candidate)?.hideText(text) ?? text;
  };
  assert.match(shown(secret, 'the-client-secret-1 the-client-id-1'), /^\*+ the-client-id-1$/);
  assert.match(shown('AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG', 'wJalrXUtnFEMI/K7MDENG'), /^\*+$/);
  assert.match(shown('{broken-json-key-1', 'a {broken-json-key-1'), /^a \*+$/);
});
