import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressRange, baseUrl } from './network-addresses.ts';

test('addresses and CIDR ranges of both families are accepted, nothing else', () => {
  for (const text of ['192.0.2.7', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32', '::ffff:192.0.2.7', '::/0']) {
    assert.ok(addressRange.safeParse(text).success, text);
  }
  for (const text of [
    '',
    'host',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.0/33',
    '::/129',
    '::1%eth0',
    '10.0.0.0/8 ',
    '1.2.3.4/',
  ]) {
    assert.ok(!addressRange.safeParse(text).success, text);
  }
});

test('a base address is http or https and carries nothing but host, port, path and query (contract-2 9)', () => {
  for (const text of [
    'https://host/v1',
    'http://127.0.0.1:8081',
    'https://[::1]:9/v1/',
    'HTTPS://Host.example/a/b',
    'https://h?a',
    'https://h/v1?api-version=2024-10-21&a=b/c',
  ]) {
    assert.ok(baseUrl.safeParse(text).success, text);
  }
  for (const text of [
    'host/v1',
    'ftp://h',
    'https://',
    'https://u@h',
    'https://u:p@h',
    'https://h#a',
    'https://h?a#b',
    'https://h?a b',
    'https://?a',
    'https://u@h?a',
    'https://h:99999',
    'https://h/a b',
    'https:\\\\h',
  ]) {
    assert.ok(!baseUrl.safeParse(text).success, text);
  }
});
