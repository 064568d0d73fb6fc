// Reads the codes back the long way round: by the tables of the standard, and by the zeros of its polynomials.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qrCode } from './qr-code.ts';

/** ISO/IEC 18004, tables 1, 9 and E.1: bytes in all, blocks of level M as [count, data bytes], centres of alignment. */
const tables: Record<number, { bytes: number; blocks: [number, number][]; centres: number[] }> = {
  1: { bytes: 26, blocks: [[1, 16]], centres: [] },
  5: { bytes: 134, blocks: [[2, 43]], centres: [6, 30] },
  6: { bytes: 172, blocks: [[4, 27]], centres: [6, 34] },
  7: { bytes: 196, blocks: [[4, 31]], centres: [6, 22, 38] },
  8: {
    bytes: 242,
    blocks: [
      [2, 38],
      [2, 39],
    ],
    centres: [6, 24, 42],
  },
  14: {
    bytes: 581,
    blocks: [
      [4, 40],
      [5, 41],
    ],
    centres: [6, 26, 46, 66],
  },
  20: {
    bytes: 1085,
    blocks: [
      [3, 41],
      [13, 42],
    ],
    centres: [6, 34, 62, 90],
  },
};

/** Powers of the field's generator. */
const powers: number[] = [1];
for (let value = 1; powers.length < 255;) {
  value = (value << 1) ^ (value >= 128 ? 0x11d : 0);
  powers.push(value);
}

function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : (powers[(powers.indexOf(a) + powers.indexOf(b)) % 255] ?? 0);
}

function isReserved(x: number, y: number, size: number, centres: number[]): boolean {
  if (x === 6 || y === 6) return true;
  if ((x < 9 && y < 9) || (x < 9 && y >= size - 8) || (x >= size - 8 && y < 9)) return true;
  if (size >= 45 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11))) return true;
  return centres.some((cx) =>
    centres.some((cy) => {
      const finder = (cx < 9 && cy < 9) || (cx < 9 && cy > size - 9) || (cx > size - 9 && cy < 9);
      return !finder && Math.abs(cx - x) <= 2 && Math.abs(cy - y) <= 2;
    }),
  );
}

function readBytes(rows: boolean[][], centres: number[]): number[] {
  const size = rows.length;
  const bits: number[] = [];
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2, upwards = !upwards) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = upwards ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (isReserved(x, y, size, centres)) continue;
        bits.push(Number(rows[y]?.[x]) ^ Number((x + y) % 2 === 0));
      }
    }
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8).join(''), 2),
  );
}

function decode(rows: boolean[][]): string {
  const version = (rows.length - 17) / 4;
  const table = tables[version];
  assert.ok(table, `version ${version}`);
  const bytes = readBytes(rows, table.centres);
  assert.equal(bytes.length, table.bytes);
  const lengths = table.blocks.flatMap(([count, length]) => Array.from({ length: count }, () => length));
  const parts: number[][] = lengths.map(() => []);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let next = 0;
  for (let turn = 0; next < total; turn++)
    for (const [block, length] of lengths.entries()) if (turn < length) parts[block]?.push(bytes[next++] ?? 0);
  const data = parts.map((part) => [...part]);
  const checks = (table.bytes - total) / lengths.length;
  for (let turn = 0; turn < checks; turn++) for (const part of parts) part.push(bytes[next++] ?? 0);
  for (const part of parts) {
    for (let root = 0; root < checks; root++) {
      const value = part.reduce((sum, byte) => times(sum, powers[root] ?? 0) ^ byte, 0);
      assert.equal(value, 0, 'every block is a multiple of the generator');
    }
  }
  const bits = data
    .flat()
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  assert.equal(bits.slice(0, 4), '0100', 'bytes');
  const counted = version < 10 ? 8 : 16;
  const length = Number.parseInt(bits.slice(4, 4 + counted), 2);
  const text = Array.from({ length }, (_, index) =>
    Number.parseInt(bits.slice(4 + counted + index * 8, 12 + counted + index * 8), 2),
  );
  return new TextDecoder().decode(Uint8Array.from(text));
}

test('codes of all sizes are read back whole', () => {
  const uri = 'otpauth://totp/Tollgate:admin?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Tollgate';
  const texts = [
    '',
    'Tollgate',
    'v'.repeat(80),
    uri,
    `${uri}ä`.padEnd(100, 'é'),
    'x'.repeat(120),
    'y'.repeat(150),
    'z'.repeat(360),
    'w'.repeat(660),
  ];
  const versions = new Set<number>();
  for (const text of texts) {
    const rows = qrCode(text);
    assert.ok(rows, text);
    versions.add((rows.length - 17) / 4);
    assert.equal(decode(rows), text);
  }
  assert.deepEqual(
    [...versions].sort((a, b) => a - b),
    Object.keys(tables).map(Number),
  );
  assert.equal(qrCode('x'.repeat(700)), undefined);
});

test('what tells a camera level, mask and version is as the standard prints it', () => {
  const small = qrCode('Tollgate') ?? [];
  const bit = (x: number, y: number, rows = small) => String(Number(rows[y]?.[x]));
  const along =
    [0, 1, 2, 3, 4, 5, 7, 8].map((x) => bit(x, 8)).join('') + [7, 5, 4, 3, 2, 1, 0].map((y) => bit(8, y)).join('');
  assert.equal(along, '101010000010010', 'level M, mask 0');
  const large = qrCode('x'.repeat(120)) ?? [];
  let version = '';
  for (let index = 17; index >= 0; index--)
    version += bit(Math.floor(index / 3), large.length - 11 + (index % 3), large);
  assert.equal(version, '000111110010010100', 'version 7');
});
