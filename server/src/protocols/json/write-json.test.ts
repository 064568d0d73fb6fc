import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanJsonObject } from '../../shared/json-fields.ts';
import { changedBody } from './write-json.ts';

const bodyOf = (text: string) => scanJsonObject(Buffer.from(`{"model":"ours","text":${JSON.stringify(text)},"n":1}`));
const CHANGES = { set: { model: '"theirs"', user: '"me"' }, remove: ['n'] };
const expected = (text: string): string => JSON.stringify({ model: 'theirs', text, user: 'me' });

const isList = (pieces: unknown): pieces is Buffer[] => Array.isArray(pieces);

test('a small body is sent as one buffer', () => {
  const body = changedBody(bodyOf('short'), CHANGES);
  assert.ok(Buffer.isBuffer(body));
  assert.equal(body.toString(), expected('short'));
});

test('of a large body no byte is copied, and it can be sent again', () => {
  const text = 'ä'.repeat(100_000);
  const json = bodyOf(text);
  const body = changedBody(json, CHANGES);
  assert.ok(!Buffer.isBuffer(body));
  for (let attempt = 0; attempt < 2; attempt++) {
    const pieces: unknown = body.open();
    assert.ok(isList(pieces));
    assert.equal(Buffer.concat(pieces).toString(), expected(text));
    assert.equal(body.length, Buffer.byteLength(expected(text)));
    assert.ok(pieces.some((piece) => piece.buffer === json.bytes.buffer && piece.length > 200_000));
  }
});

test('a large body that stays as it is goes out as the very buffer that came', () => {
  const json = bodyOf('x'.repeat(100_000));
  assert.equal(changedBody(json, { set: { model: '"ours"' } }), json.bytes);
});
