// A small H.264 encoder for pictures made of one-coloured blocks of 16 x 16: enough for a film that every player shows, without
// any encoder installed. Constrained Baseline, CAVLC. https://www.itu.int/rec/T-REC-H.264
import { type BitWriter, createBitWriter } from './bit-writer.ts';

export const blockSide = 16;

/** Brightness 0 to 255; the two colour differences are 128 where there is no colour, and must be even. */
export type Colour = readonly [luma: number, blue: number, red: number];

export type Picture = { columns: number; rows: number; colourAt(column: number, row: number): Colour };

const frameNumberBits = 8;
// At this quantiser one step of a block's mean is one step of brightness, or two of colour: nothing is rounded.
const quantiser = 28;
const chromaStep = 2;
/** Wide enough for every size that the sandbox makes. */
const level = 51;
const grey: Colour = [128, 128, 128];

/** The sequence parameter set: size, and that no picture is shown out of order (clause 7.3.2.1). */
export function writeSequence(width: number, height: number): Buffer {
  const [columns, rows] = [Math.ceil(width / blockSide), Math.ceil(height / blockSide)];
  const writer = createBitWriter();
  writer.bits(66, 8);
  writer.bits(0b1100_0000, 8);
  writer.bits(level, 8);
  writer.unsigned(0);
  writer.unsigned(frameNumberBits - 4);
  writer.unsigned(2);
  writer.unsigned(1);
  writer.bits(0, 1);
  writer.unsigned(columns - 1);
  writer.unsigned(rows - 1);
  writer.bits(0b11, 2);
  const [right, bottom] = [columns * blockSide - width, rows * blockSide - height];
  writer.bits(right > 0 || bottom > 0 ? 1 : 0, 1);
  if (right > 0 || bottom > 0) for (const cut of [0, right / 2, 0, bottom / 2]) writer.unsigned(cut);
  writer.bits(0, 1);
  return wrapUnit(0x67, writer.finish());
}

/** The picture parameter set (clause 7.3.2.2). */
export function writePictureParameters(): Buffer {
  const writer = createBitWriter();
  writer.unsigned(0);
  writer.unsigned(0);
  writer.bits(0, 2);
  for (const value of [0, 0, 0]) writer.unsigned(value);
  writer.bits(0, 3);
  writer.signed(quantiser - 26);
  writer.signed(0);
  writer.signed(0);
  writer.bits(0, 3);
  return wrapUnit(0x68, writer.finish());
}

export function writeKeyPicture(picture: Picture, index: number): Buffer {
  const writer = createBitWriter();
  writer.unsigned(0);
  writer.unsigned(7);
  writer.unsigned(0);
  writer.bits(0, frameNumberBits);
  writer.unsigned(index % 2);
  writer.bits(0, 2);
  writer.signed(0);
  for (let row = 0; row < picture.rows; row += 1) {
    for (let column = 0; column < picture.columns; column += 1) writeBlock(writer, picture, { column, row });
  }
  return wrapUnit(0x65, writer.finish());
}

/** A picture like the one before it; `sinceKey` counts from 1. */
export function writeRepeatedPicture({ columns, rows }: Pick<Picture, 'columns' | 'rows'>, sinceKey: number): Buffer {
  const writer = createBitWriter();
  writer.unsigned(0);
  writer.unsigned(5);
  writer.unsigned(0);
  writer.bits(sinceKey % 2 ** frameNumberBits, frameNumberBits);
  writer.bits(0, 3);
  writer.signed(0);
  writer.unsigned(columns * rows);
  return wrapUnit(0x41, writer.finish());
}

/**
 * Predicted from the block to the left, or above at the left edge, both of one colour; what is coded is the difference.
 * No AC coefficient is ever coded, so the neighbours never change which table applies (clause 9.2.1).
 */
function writeBlock(writer: BitWriter, picture: Picture, { column, row }: { column: number; row: number }): void {
  const [luma, blue, red] = picture.colourAt(column, row);
  const left = column > 0 ? picture.colourAt(column - 1, row) : undefined;
  const before = left ?? (row > 0 ? picture.colourAt(column, row - 1) : grey);
  const colours = [blue - before[1], red - before[2]].map((difference) => difference / chromaStep);
  const isColoured = colours.some((difference) => difference !== 0);
  const direction = left !== undefined ? 'horizontal' : row > 0 ? 'vertical' : 'mean';
  writer.unsigned(1 + { vertical: 0, horizontal: 1, mean: 2 }[direction] + (isColoured ? 4 : 0));
  writer.unsigned({ mean: 0, horizontal: 1, vertical: 2 }[direction]);
  writer.signed(0);
  writeMean(writer, luma - before[0], { none: '1', one: '01', more: '000101' });
  if (!isColoured) return;
  for (const difference of colours) writeMean(writer, difference, { none: '01', one: '1', more: '000111' });
}

type TokenCodes = { none: string; one: string; more: string };

/** A block with at most one coefficient, the first (clause 9.2): its token, its level, and that no zeros come before it. */
function writeMean(writer: BitWriter, difference: number, codes: TokenCodes): void {
  const size = Math.abs(difference);
  if (size === 0) return writer.code(codes.none);
  if (size === 1) writer.code(codes.one + (difference < 0 ? '1' : '0'));
  else {
    writer.code(codes.more);
    writeLevel(writer, 2 * size - 4 + (difference < 0 ? 1 : 0));
  }
  writer.code('1');
}

/** Clause 9.2.2.1, for a first level that is known to be beyond one. */
function writeLevel(writer: BitWriter, levelCode: number): void {
  if (levelCode < 14) return writer.bits(1, levelCode + 1);
  if (levelCode < 30) {
    writer.bits(1, 15);
    return writer.bits(levelCode - 14, 4);
  }
  writer.bits(1, 16);
  writer.bits(levelCode - 30, 12);
}

/** Two zero bytes before a small one would look like a start code: a three goes between (clause 7.4.1). */
function wrapUnit(header: number, payload: Buffer): Buffer {
  const bytes = Buffer.alloc(1 + Math.ceil(payload.length * 1.5) + 1);
  bytes[0] = header;
  let length = 1;
  let zeros = 0;
  for (const byte of payload) {
    if (zeros === 2 && byte <= 3) {
      bytes[length++] = 3;
      zeros = 0;
    }
    bytes[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return bytes.subarray(0, length);
}
