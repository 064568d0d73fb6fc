import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { findCredentials } from '../../access/credentials.ts';
import { asksForSession, checkHandshake, readModel, withSubprotocolKey } from './handshake.ts';

const keysOf = (headers: Record<string, string>): string[] =>
  findCredentials({ path: '/v1/realtime', query: '', headers: withSubprotocolKey(headers) }, 'compatible');

test('a browser carries its token among the subprotocols; one rule decides between several', () => {
  const offered = 'realtime, openai-insecure-api-key.sk-1, openai-organization.org_x';
  assert.deepEqual(keysOf({ 'sec-websocket-protocol': offered }), ['sk-1']);
  assert.deepEqual(keysOf({ 'sec-websocket-protocol': offered, authorization: 'Bearer sk-1' }), ['sk-1']);
  assert.deepEqual(keysOf({ 'sec-websocket-protocol': offered, authorization: 'Bearer sk-2' }), ['sk-1', 'sk-2']);
  assert.deepEqual(keysOf({ 'sec-websocket-protocol': 'realtime' }), []);
});

test('only a GET for a WebSocket at the path itself becomes a session', () => {
  const asks = (method: string, upgrade: string | undefined, path: string): boolean =>
    asksForSession({ method, headers: { upgrade } } as IncomingMessage, path);
  assert.equal(asks('GET', 'WebSocket', '/v1/realtime'), true);
  assert.equal(asks('GET', 'h2c', '/v1/realtime'), false);
  assert.equal(asks('GET', undefined, '/v1/realtime'), false);
  assert.equal(asks('POST', 'websocket', '/v1/realtime'), false);
  assert.equal(asks('GET', 'websocket', '/v1/responses'), false);
});

test('a handshake that cannot be answered is refused before an upstream is asked, naming the header', () => {
  const good = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  assert.doesNotThrow(() => checkHandshake({ headers: good }));
  for (const [name, value] of [
    ['sec-websocket-version', '7'],
    ['sec-websocket-key', 'short'],
  ] as const)
    assert.throws(
      () => checkHandshake({ headers: { ...good, [name]: value } }),
      (error: { details: { param: string } }) => error.details.param === name,
    );
});

test('the model of the query, once', () => {
  assert.equal(readModel('model=a%2Fb'), 'a/b');
  for (const [query, param] of [
    ['', 'model'],
    ['model=', 'model'],
    ['model=a&model=b', 'model'],
    ['intent=transcription', 'intent'],
    ['model=a&call_id=x', 'call_id'],
  ] as const)
    assert.throws(
      () => readModel(query),
      (error: { details: { param: string } }) => error.details.param === param,
    );
});
