import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTextTokens, PieceCounter } from './count-pieces.ts';

const piece = (delta: unknown, id = 'item_id_of_one_piece'): string => `data: ${JSON.stringify({ id, delta })}\n\n`;

function measure(...blocks: string[]): [number, number] {
  const counter = new PieceCounter('delta');
  for (const block of blocks) counter.add(Buffer.from(block));
  return [counter.pieces, counter.bytes];
}

test('text is counted by its bytes only where few pieces hold much', () => {
  assert.deepEqual([countTextTokens(0, 0), countTextTokens(3, 96), countTextTokens(3, 97)], [0, 3, 25]);
});

test('bytes are those of the field, up to its closing quote', () => {
  assert.deepEqual(measure(piece('x'.repeat(99))), [1, 99]);
  assert.deepEqual(measure(piece('"'.repeat(50))), [1, 50], 'without their escapes');
  assert.deepEqual(measure(piece('\\'.repeat(50))), [1, 50]);
  assert.deepEqual(measure(piece('"delta":"xx')), [1, 11], 'a key inside a text is none');
  for (const other of [null, { text: 'xx' }, 7]) assert.deepEqual(measure(piece(other)), [0, 0]);
  assert.deepEqual(
    measure('data: {"id":"item_id_of_one_piece","delta":"x\\\n\n'),
    [1, 3],
    'one that never closes ends with the block',
  );
});

test('what stands around the text may change, and is not counted', () => {
  const [short, long] = ['i', 'i'.repeat(300)];
  const ids = [short, long, long, short, short, long];
  assert.deepEqual(measure(...ids.map((id) => piece('x'.repeat(5), id))), [6, 30]);
  assert.deepEqual(measure(piece('xx', long) + piece('xx', short), piece('x'.repeat(290), short)), [3, 294]);
});

test('without a field only pieces are counted', () => {
  const counter = new PieceCounter(undefined);
  counter.add(Buffer.from(piece('x'.repeat(99)) + piece('x')));
  assert.deepEqual([counter.pieces, counter.bytes], [2, 0]);
});
