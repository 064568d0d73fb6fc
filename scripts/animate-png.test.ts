import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { animatePng, readChunks } from './animate-png.mjs';

const light = readFileSync('docs/images/console-channels-light.png');
const dark = readFileSync('docs/images/console-channels-dark.png');

test('pictures become frames in their order, each with its time, in chunks that hold', () => {
  const chunks = readChunks(
    animatePng([
      { png: light, milliseconds: 1500 },
      { png: dark, milliseconds: 700 },
    ]),
  );
  for (const { type, data, crc } of chunks)
    assert.equal(crc, crc32(Buffer.concat([Buffer.from(type, 'latin1'), data])), type);
  assert.equal(chunks.find(({ type }) => type === 'acTL')?.data.readUInt32BE(0), 2);
  const controls = chunks.filter(({ type }) => type === 'fcTL').map(({ data }) => data);
  assert.deepEqual(
    controls.map((data) => data.readUInt16BE(20)),
    [1500, 700],
  );
  const sequence = chunks
    .filter(({ type }) => type === 'fcTL' || type === 'fdAT')
    .map(({ data }) => data.readUInt32BE(0));
  assert.deepEqual(sequence, [...sequence.keys()]);
  const pixels = (all: typeof chunks, name: string, from: number): Buffer =>
    inflateSync(Buffer.concat(all.flatMap(({ type, data }) => (type === name ? [data.subarray(from)] : []))));
  assert.deepEqual(pixels(chunks, 'fdAT', 4), pixels(readChunks(dark), 'IDAT', 0));
});

test('the moving picture of the README is small and moves', () => {
  const picture = readFileSync('docs/pictures/tour.png');
  assert.ok(picture.length < 600_000, `${picture.length} bytes`);
  assert.ok(
    (readChunks(picture)
      .find(({ type }) => type === 'acTL')
      ?.data.readUInt32BE(0) ?? 0) >= 5,
  );
});
