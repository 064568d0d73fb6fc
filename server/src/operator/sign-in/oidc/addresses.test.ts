import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleAddress } from './addresses.ts';

test('a sign-in ends at the requested address, within the console', () => {
  const base = 'https://gw.example/prefix';
  assert.equal(consoleAddress(base, '/'), `${base}/console/`);
  assert.equal(consoleAddress(base, '/tokens?status=enabled'), `${base}/console/tokens?status=enabled`);
  assert.equal(consoleAddress(base, '/tokens?a=1', 'expired'), `${base}/console/tokens?a=1&sign_in=expired`);
  assert.equal(consoleAddress(base, '/?sign_in=expired'), `${base}/console/`);
});

test('and never elsewhere, whatever the link that began it said', () => {
  const base = 'https://gw.example';
  const hostile = [
    '',
    'x',
    '@evil.example',
    '.evil.example',
    ':1',
    '/..',
    '/../../evil',
    '/..//evil.example',
    '/\\..\\..\\x',
  ];
  for (const to of hostile) assert.equal(consoleAddress(base, to), `${base}/console/`, to);
  for (const to of ['//evil.example', '/\\evil.example', '/https://evil.example'])
    assert.ok(consoleAddress(base, to).startsWith(`${base}/console/`), to);
});
