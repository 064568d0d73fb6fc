import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionLimit } from './connection-limit.ts';

function limitOf(most: number, exempt = ''): (address: string) => { isTaken: boolean; end(): void } {
  const limit = new ConnectionLimit({ most, isExempt: (address) => address === exempt });
  return (address) => {
    const taken = limit.take(address);
    return { isTaken: taken !== false, end: typeof taken === 'function' ? taken : () => {} };
  };
}

test('an address has so many connections and no more; one that ends makes room for another (promise B-06)', () => {
  const open = limitOf(2);
  const first = open('203.0.113.1');
  assert.deepEqual([first.isTaken, open('203.0.113.1').isTaken, open('203.0.113.1').isTaken], [true, true, false]);
  assert.equal(open('::ffff:203.0.113.1').isTaken, false, 'the same address in the words of IPv6');
  assert.equal(open('203.0.113.2').isTaken, true, 'another one');
  first.end();
  assert.deepEqual([open('203.0.113.1').isTaken, open('203.0.113.1').isTaken], [true, false]);
});

test('a network of IPv6 counts as one address', () => {
  const open = limitOf(1);
  assert.equal(open('2001:db8:1:2::1').isTaken, true);
  for (const address of ['2001:db8:1:2::2', '2001:db8:1:2:3:4:5:6'])
    assert.equal(open(address).isTaken, false, address);
  for (const address of ['2001:db8:1:3::1', '2001:db8::1', '2001:db8:1::1'])
    assert.equal(open(address).isTaken, true, address);
});

test('this machine and trusted proxies are not counted: many stand behind them', () => {
  const open = limitOf(1, '198.51.100.7');
  for (const address of ['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1', '198.51.100.7', '::ffff:198.51.100.7'])
    for (let count = 0; count < 3; count++) assert.equal(open(address).isTaken, true, address);
});
