import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseProxies } from './proxies.ts';

const https = 'http://secure.proxy:3128';
const http = 'http://plain.proxy:3128';

test('the scheme of the address chooses the proxy, and a channel has its own (contract-2 9)', () => {
  const choose = chooseProxies({ https, http, none: undefined });
  assert.deepEqual(
    [choose('https://a.example'), choose('http://a.example'), choose('https://a.example', 'http://own:1')],
    [https, http, 'http://own:1'],
  );
  assert.equal(chooseProxies({ https, http: undefined, none: undefined })('http://a.example'), undefined);
});

test('this machine is called directly, except by a channel of its own proxy', () => {
  const choose = chooseProxies({ https, http, none: undefined });
  for (const host of ['localhost:1', '127.0.0.1:8090', '[::1]:2', 'x.localhost'])
    assert.equal(choose(`http://${host}`), undefined);
  assert.equal(choose('http://127.0.0.1:1', 'http://own:1'), 'http://own:1');
});

for (const [none, direct, proxied] of [
  ['example.com', ['example.com', 'a.example.com', 'example.com:8443'], ['notexample.com', 'example.com.evil']],
  ['.example.com', ['example.com', 'a.example.com'], ['xexample.com']],
  ['*.example.com, other', ['b.example.com', 'other'], ['another']],
  ['example.com:8443', ['example.com:8443'], ['example.com', 'example.com:80']],
  ['example.com:443', ['example.com'], ['example.com:8443']],
  ['10.0.0.0/8 192.168.1.5', ['10.1.2.3', '192.168.1.5'], ['11.0.0.1', '192.168.1.50']],
  ['fd00::/8', ['[fd00::1]'], ['[fe80::1]']],
  ['EXAMPLE.COM', ['Example.com'], []],
  ['*', ['a.example', '8.8.8.8'], []],
  ['10.0.0.0/99', [], ['10.0.0.1']],
] as const)
  test(`NO_PROXY: ${none}`, () => {
    const choose = chooseProxies({ https, http, none });
    for (const host of direct) assert.equal(choose(`https://${host}`), undefined, host);
    for (const host of proxied) assert.equal(choose(`https://${host}`), https, host);
  });
