import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitLines } from './split-lines.ts';

async function linesOf(text: string, sizes: readonly number[], most = 1_000): Promise<[string, number][]> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let start = 0, round = 0; start < bytes.length; round++) {
      const end = start + (sizes[round % sizes.length] ?? 1);
      yield bytes.subarray(start, end);
      start = end;
    }
  }
  const lines: [string, number][] = [];
  for await (const { bytes: line, start } of splitLines(pieces(), most)) lines.push([String(line), start]);
  return lines;
}

test('lines are found wherever the pieces end, each at its place; blank ones are left out', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[a-zé{} ]{0,12}\r?$/), { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      async (lines, sizes) => {
        const text = lines.join('\n');
        const bytes = Buffer.from(text);
        const found = await linesOf(text, sizes);
        assert.deepEqual(
          found.map(([line]) => line),
          lines.filter((line) => line.trim() !== ''),
        );
        for (const [line, start] of found)
          assert.equal(bytes.toString('utf8', start, start + Buffer.byteLength(line)), line);
      },
    ),
  );
});

test('a line that is too long is reported without its bytes, and those behind it are read', async () => {
  assert.deepEqual(await linesOf(`ab\n${'x'.repeat(30)}\ncd`, [7], 10), [
    ['ab', 0],
    ['', 3],
    ['cd', 34],
  ]);
});
