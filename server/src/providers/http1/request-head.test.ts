import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SmallRequest, writeHead } from './request-head.ts';

const ASK: SmallRequest = { method: 'POST', path: '/v1/x?y=1', headers: {}, body: null };
const write = (more: Partial<SmallRequest>): string => writeHead({ ...ASK, ...more }, 'a.example:8080');

test('a head has what was given, and what the client says itself', () => {
  assert.equal(
    write({ headers: { 'X-Ask': 'a\tb \xe9', accept: '' }, body: Buffer.from('abc') }),
    'POST /v1/x?y=1 HTTP/1.1\r\nhost: a.example:8080\r\nconnection: keep-alive\r\n' +
      'X-Ask: a\tb \xe9\r\naccept: \r\ncontent-length: 3\r\n\r\n',
  );
});

test('the length is sent where there is a body or one is expected', () => {
  assert.match(write({}), /\r\ncontent-length: 0\r\n\r\n$/u);
  assert.match(write({ method: 'DELETE', body: Buffer.from('a') }), /\r\ncontent-length: 1\r\n\r\n$/u);
  for (const method of ['GET', 'DELETE'] as const)
    for (const body of [null, Buffer.alloc(0)]) assert.doesNotMatch(write({ method, body }), /content-length/u);
});

test('what could end a line or change the framing is refused', () => {
  for (const value of ['a\r\nb: c', 'a\nb', 'a\rb', 'a\0', 'a\x7f', 'a\u0100', '\ud83d\ude00'])
    assert.throws(() => write({ headers: { 'x-key': value } }), { code: 'UND_ERR_INVALID_ARG' }, JSON.stringify(value));
  for (const name of ['', 'a b', 'a:', 'a\r\nb', 'a\n', '\xe9', 'a\u0130'])
    assert.throws(() => write({ headers: { [name]: 'x' } }), { code: 'UND_ERR_INVALID_ARG' }, JSON.stringify(name));
  for (const path of ['', 'x', '/a b', '/a\r\nx: y', '/a\n', '/\0', '/\u0100', 'http://b.example/', '*'])
    assert.throws(() => write({ path }), { code: 'UND_ERR_INVALID_ARG' }, JSON.stringify(path));
  for (const name of ['Host', 'connection', 'Content-Length', 'TRANSFER-ENCODING', 'keep-alive', 'upgrade', 'expect'])
    assert.throws(() => write({ headers: { [name]: '1' } }), { code: 'UND_ERR_INVALID_ARG' }, name);
});

test('a name that was refused once is refused again, and a good one stays good', () => {
  for (let time = 0; time < 2; time++) {
    assert.throws(() => write({ headers: { 'a b': 'x' } }));
    assert.throws(() => write({ headers: { 'content-length': '1' } }));
    assert.match(write({ headers: { 'x-good': 'x' } }), /\r\nx-good: x\r\n/u);
  }
});
