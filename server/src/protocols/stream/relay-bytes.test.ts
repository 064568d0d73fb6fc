import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BytesReader } from './relay-bytes.ts';

test('bytes pass as they came, and how the network cut them does not change their count', () => {
  const bytes = Buffer.alloc(8_001, 7);
  for (const pieceBytes of [1, 799, 8_001]) {
    const reader = new BytesReader();
    assert.deepEqual([reader.started, reader.outputPieces], [false, 0]);
    const passed: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += pieceBytes) passed.push(reader.push(bytes.subarray(at, at + pieceBytes)));
    assert.deepEqual(Buffer.concat(passed), bytes);
    assert.deepEqual([reader.started, reader.isComplete(), reader.outputPieces], [true, true, 11]);
  }
});
