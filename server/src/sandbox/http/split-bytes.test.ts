import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitBytes } from './split-bytes.ts';

test('pieces have 1 to 7 bytes, and cut inside characters and between \\r and \\n', () => {
  const bytes = Buffer.from('data: {"a":"naïve 猫 🙂 and then forty or more plain letters in a row"}\r\n\r\n');
  const pieces = [...splitBytes(bytes)];
  assert.deepEqual(Buffer.concat(pieces), bytes);
  assert.ok(pieces.every((piece) => piece.length >= 1 && piece.length <= 7));
  assert.ok(pieces.some((piece) => piece.length === 7));
  assert.ok(pieces.every((piece) => !piece.includes('\r\n')));
  assert.ok(pieces.every((piece) => !/[ï猫🙂]/u.test(piece.toString('utf8'))));
});
