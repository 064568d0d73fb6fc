import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOrigin } from './origin.ts';

test('an origin is scheme, host and port as a browser writes them', () => {
  for (const origin of ['https://app.example', 'http://127.0.0.1:5173', 'https://[::1]:8443', 'chrome-extension://abc'])
    assert.equal(isOrigin(origin), true, origin);
  for (const text of [
    '*',
    'null',
    'app.example',
    'https://app.example/',
    'https://app.example:443',
    'HTTPS://a',
    'x://',
    '',
  ])
    assert.equal(isOrigin(text), false, text);
});
