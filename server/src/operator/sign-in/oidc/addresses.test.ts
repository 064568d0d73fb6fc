import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageAddress } from './addresses.ts';

test('a sign-in ends at the requested address, within its page', () => {
  const page = 'https://gw.example/prefix/console';
  assert.equal(pageAddress(page, '/'), `${page}/`);
  assert.equal(pageAddress(page, '/tokens?status=enabled'), `${page}/tokens?status=enabled`);
  assert.equal(pageAddress(page, '/tokens?a=1', 'expired'), `${page}/tokens?a=1&sign_in=expired`);
  assert.equal(pageAddress(page, '/?sign_in=expired'), `${page}/`);
});

test('and never elsewhere, whatever the link that began it said', () => {
  const page = 'https://gw.example/portal';
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
  for (const to of hostile) assert.equal(pageAddress(page, to), `${page}/`, to);
  for (const to of ['//evil.example', '/\\evil.example', '/https://evil.example'])
    assert.ok(pageAddress(page, to).startsWith(`${page}/`), to);
});
