import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertGrowsLinearly } from '../testing/growth.ts';
import { clientAddress, compileAddresses, coversRange, normaliseAddress } from './addresses.ts';
import { admitOrigin } from './authenticate.ts';

describe('a range matches', () => {
  for (const [range, inside, outside] of [
    ['192.0.2.7', ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207'], ['192.0.2.6', '192.0.2.8', '::192.0.2.7']],
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255', '::ffff:10.1.2.3'], ['9.255.255.255', '11.0.0.0']],
    ['10.1.2.3/8', ['10.200.0.1'], ['11.1.2.3']],
    ['10.1.2.0/23', ['10.1.2.0', '10.1.3.255'], ['10.1.1.255', '10.1.4.0']],
    ['10.1.2.2/31', ['10.1.2.2', '10.1.2.3'], ['10.1.2.1', '10.1.2.4']],
    ['10.1.2.3/32', ['10.1.2.3'], ['10.1.2.2', '10.1.2.4']],
    ['0.0.0.0/0', ['1.2.3.4', '255.255.255.255', '::ffff:9.9.9.9'], ['::1', '2001:db8::1']],
    ['2001:db8::/33', ['2001:db8:7fff::1', '2001:DB8:0::5'], ['2001:db8:8000::', '2001:db7::1']],
    ['2001:db8::1', ['2001:db8::1', '2001:0db8:0:0:0:0:0:1', '2001:db8::1%eth0'], ['2001:db8::2']],
    ['::/0', ['::1', '2001:db8::1'], ['1.2.3.4', '::ffff:1.2.3.4']],
    ['::1/64', ['::1'], ['1.2.3.4', '::ffff:1.2.3.4']],
    ['::ffff:192.0.2.7', ['192.0.2.7', '::ffff:192.0.2.7'], ['192.0.2.8']],
    ['::ffff:10.0.0.0/104', ['10.255.0.1', '::ffff:10.0.0.1'], ['11.0.0.1']],
    ['0:0:0:0:0:ffff:0a00:0000/104', ['10.255.0.1'], ['11.0.0.1']],
    ['::ffff:0:0/96', ['1.2.3.4', '::ffff:1.2.3.4'], ['::1']],
    ['::ffff:0:0/95', [], ['1.2.3.4', '2001:db8::1']],
    ['fe80::1%eth0', ['fe80::1', 'fe80::1%eth1'], ['fe80::2']],
  ] as const) {
    test(range, () => {
      const matcher = compileAddresses(['198.51.100.1', range]);
      for (const address of inside) assert.equal(matcher.matches(address), true, address);
      for (const address of outside) assert.equal(matcher.matches(address), false, address);
    });
  }
});

describe('ranges cover others', () => {
  for (const [wide, narrow, covers] of [
    ['10.0.0.0/8', '10.1.0.0/16', true],
    ['10.0.0.0/8', '10.0.0.0/8', true],
    ['10.9.9.9/8', '10.1.2.3', true],
    ['10.1.0.0/16', '10.0.0.0/8', false],
    ['10.0.0.0/8', '11.0.0.0/16', false],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '2001:db8::/32', true],
    ['::/0', '10.0.0.0/8', false],
    ['2001:db8::/32', '2001:DB8:0:1::/64', true],
    ['2001:db8::1', '2001:db8::/64', false],
    ['10.0.0.0/8', '::ffff:10.1.0.0/112', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
  ] as const)
    test(`${wide} ${covers ? 'covers' : 'does not cover'} ${narrow}`, () => {
      assert.equal(coversRange(['198.51.100.1', wide], narrow), covers);
    });
});

test('text that is no address matches nothing, not even the widest range', () => {
  const matcher = compileAddresses(['0.0.0.0/0', '::/0']);
  for (const text of [
    '',
    'localhost',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.4:80',
    '[::1]',
    ' 1.2.3.4',
    '1.2.3.4/8',
    '::ffff:1.2.3.4.5',
    '::%',
  ]) {
    assert.equal(matcher.matches(text), false, JSON.stringify(text));
  }
});

test('a list of ranges that are none refuses everybody, and beside good ones they do no harm', () => {
  const bad = [
    '',
    '10.0.0.0/33',
    '2001:db8::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '/8',
    'example.com',
    '10.0.0.0/8/8',
    '10.0.0/8',
  ];
  for (const address of ['10.0.0.1', '2001:db8::1', '0.0.0.0', '::']) {
    assert.equal(compileAddresses(bad).matches(address), false, address);
  }
  for (const text of ['10.0.0.0/8', ' 10.0.0.1 ']) {
    assert.equal(compileAddresses([...bad, text]).matches('10.0.0.1'), true, text);
  }
  for (const text of ['::1', '::/0']) assert.equal(compileAddresses([...bad, text]).matches('::1'), true, text);
  assert.equal(compileAddresses([]).matches('10.0.0.1'), false);
});

test('an address has one spelling of family, case and zone', () => {
  assert.equal(normaliseAddress('::FFFF:192.0.2.7'), '192.0.2.7');
  assert.equal(normaliseAddress('::ffff:c000:0207'), '192.0.2.7');
  assert.equal(normaliseAddress('FE80::ABCD%en0'), 'fe80::abcd');
  assert.equal(normaliseAddress('2001:db8::ffff'), '2001:db8::ffff');
  assert.equal(normaliseAddress('nowhere'), undefined);
});

test('an address outside the list is refused with 403 ip_not_allowed; no list allows any', () => {
  const principal = { origins: undefined, ipAllow: compileAddresses(['10.0.0.0/8']) };
  assert.doesNotThrow(() => admitOrigin(principal, { origin: undefined, address: '10.9.9.9' }));
  assert.throws(() => admitOrigin(principal, { origin: undefined, address: '11.0.0.1' }), {
    code: 'ip_not_allowed',
    status: 403,
  });
  assert.throws(() => admitOrigin(principal, { origin: undefined, address: '' }), { code: 'ip_not_allowed' });
  assert.doesNotThrow(() => admitOrigin({ ...principal, ipAllow: undefined }, { origin: undefined, address: '' }));
});

const proxies = compileAddresses(['10.0.0.0/8', '2001:db8:aa::/48']);

test('without trusted proxies the forwarding header says nothing (promise A-06)', () => {
  assert.equal(clientAddress('203.0.113.5', '192.0.2.1', undefined), '203.0.113.5');
  assert.equal(clientAddress('127.0.0.1', '192.0.2.1', undefined), '127.0.0.1');
});

for (const [what, peer, forwardedFor, expected] of [
  ['a stranger cannot name another address', '203.0.113.5', '192.0.2.1', '203.0.113.5'],
  ['a stranger cannot pass for a proxy', '203.0.113.5', '192.0.2.1, 10.0.0.1', '203.0.113.5'],
  ['a proxy names its client', '10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['a proxy on a dual-stack socket names its client', '::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['an IPv6 proxy names its client', '2001:DB8:AA::1', '2001:DB8::7', '2001:db8::7'],
  ['a proxy that names nobody is the client', '10.0.0.1', undefined, '10.0.0.1'],
  ['what the client wrote itself is not believed', '10.0.0.1', '1.1.1.1, 2.2.2.2, 192.0.2.1', '192.0.2.1'],
  ['several proxies are walked through', '10.0.0.1', '6.6.6.6, 192.0.2.1, 10.0.0.3,10.0.0.2', '192.0.2.1'],
  ['mapped proxies in the list count too', '10.0.0.1', '192.0.2.1, ::ffff:10.0.0.2', '192.0.2.1'],
  ['when all are proxies the first is the client', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['ports are taken off', '10.0.0.1', '192.0.2.1:51234', '192.0.2.1'],
  ['brackets and ports are taken off', '10.0.0.1', '[2001:DB8::9]:443', '2001:db8::9'],
  ['brackets are taken off', '10.0.0.1', '[2001:db8::9]', '2001:db8::9'],
  ['zones are taken off', 'fe80::1%eth0', undefined, 'fe80::1'],
  ['a mapped client is IPv4', '10.0.0.1', '::ffff:192.0.2.1', '192.0.2.1'],
  ['a malformed entry ends the walk', '10.0.0.1', '192.0.2.1, unknown, 10.0.0.2', '10.0.0.2'],
  ['a malformed last entry leaves the proxy', '10.0.0.1', '192.0.2.1, _hidden', '10.0.0.1'],
  ['an empty entry ends the walk', '10.0.0.1', '192.0.2.1, , 10.0.0.2', '10.0.0.2'],
  ['an empty header leaves the proxy', '10.0.0.1', '', '10.0.0.1'],
  ['commas alone leave the proxy', '10.0.0.1', ',,,', '10.0.0.1'],
  ['a leading comma ends the walk', '10.0.0.1', ',10.0.0.2', '10.0.0.2'],
  ['a bad port is no address', '10.0.0.1', '192.0.2.1:http', '10.0.0.1'],
  ['a peer that has gone has no address', undefined, '192.0.2.1', ''],
] as const) {
  test(what, () => {
    assert.equal(clientAddress(peer, forwardedFor, proxies), expected);
  });
}

test('a header of the longest size is walked without delay', () => {
  const header = (entries: number): string => Array(entries).fill('10.0.0.2').join(',');
  assert.equal(clientAddress('10.0.0.1', header(1600), proxies), '10.0.0.2');
  assertGrowsLinearly(100, (entries) => {
    const forwardedFor = header(entries);
    return () => clientAddress('10.0.0.1', forwardedFor, proxies);
  });
});
