import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BufferedBody } from './buffered-body.ts';

const KIB = 1024;

function piecesOf(bytes: number, pieceBytes: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let left = bytes; left > 0; left -= pieceBytes)
    pieces.push(Buffer.allocUnsafeSlow(Math.min(left, pieceBytes)).fill(65 + (pieces.length % 26)));
  return pieces;
}

test('the pieces in their order, whatever was promised', () => {
  for (const bytes of [0, 1, 64 * KIB, 200 * KIB, 1024 * KIB + 1])
    for (const expected of [undefined, 0, bytes, bytes + 5, Math.max(0, bytes - 5), 150 * KIB]) {
      const body = new BufferedBody(expected);
      const pieces = piecesOf(bytes, 60 * KIB);
      const wanted = Buffer.concat(pieces);
      for (const piece of pieces) body.add(piece);
      assert.equal(body.bytes, bytes);
      assert.ok(body.take().equals(wanted), `${bytes} of ${expected}`);
    }
});

test('the pieces of a large body are freed as they come, parts of a larger memory are not', () => {
  const body = new BufferedBody(1024 * KIB);
  const shared = Buffer.alloc(512 * KIB, 'b');
  const pieces = [...piecesOf(512 * KIB, 64 * KIB), shared.subarray(0, 256 * KIB), shared.subarray(256 * KIB)];
  for (const piece of pieces) body.add(piece);
  assert.deepEqual(
    pieces.map(({ length }) => length),
    [...pieces.slice(2).map(() => 0), 256 * KIB, 256 * KIB],
  );
  assert.equal(shared.toString('latin1', 0, 3), 'bbb');
  assert.equal(body.take().length, 1024 * KIB);
});

test('a promise alone takes no memory', () => {
  const before = process.memoryUsage().arrayBuffers;
  const bodies = Array.from({ length: 20 }, () => new BufferedBody(50 * KIB * KIB));
  for (const body of bodies) body.add(Buffer.from('{'));
  assert.ok(process.memoryUsage().arrayBuffers - before < 10 * KIB * KIB);
});
