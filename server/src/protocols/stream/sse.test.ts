import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { assertGrowsLinearly } from '../../testing/growth.ts';
import { EventAligner, eventsOf } from './sse.ts';

const MIB = 1024 * 1024;

/** The event list as the standard's line rules give it, written without regard to speed. */
function readEvents(bytes: Buffer): { data: string; id: string | undefined }[] {
  const events: { data: string; id: string | undefined }[] = [];
  let data: string[] = [];
  let id: string | undefined;
  const lines = bytes.toString('utf8').split(/\r\n|\n|\r/u);
  lines.pop(); // what follows the last line end is no line yet
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if (line === '' && data.length > 0) events.push({ data: data.join('\n'), id });
    if (line === '') data = [];
    else if (name === 'data') data.push(value);
    else if (name === 'id') id = value;
  }
  return events;
}

function cutAt(bytes: Buffer, positions: number[]): Buffer[] {
  const cuts = [...new Set(positions.map((position) => position % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
}

const singleBytes = (bytes: Buffer): Buffer[] => [...bytes].map((byte) => Buffer.from([byte]));

function align(pieces: Buffer[]): { blocks: Buffer[]; unfinished: Buffer } {
  const aligner = new EventAligner();
  const blocks = pieces.flatMap((piece) => aligner.push(piece) ?? []);
  return { blocks, unfinished: aligner.unfinished };
}

const text = fc
  .string({ unit: fc.oneof(fc.constantFrom('é', '你', '😀', ':', ' ', 'data:', '\\n'), fc.string({ maxLength: 2 })) })
  .map((value) => value.replaceAll(/[\r\n]/gu, ''));
const line = fc
  .tuple(fc.constantFrom('data: ', 'data:', 'data: ', ': ', ':', 'id: ', 'event: ', 'retry: '), text)
  .map((parts) => parts.join(''));
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
/** Every event keeps to one line end: CR before LF would be one line end, not two. */
const event = fc
  .tuple(fc.array(line, { maxLength: 4 }), lineEnd)
  .map(([lines, end]) => [...lines, ''].map((one) => one + end).join(''));
const stream = fc
  .tuple(fc.array(event, { maxLength: 6 }), fc.constantFrom(': end\n\n', ': end\r\n\r\n'))
  .map(([events, end]) => Buffer.from(events.join('') + end));

describe('events out of pieces (S-01)', () => {
  test('any cut of the bytes gives the same events, and no byte is lost or changed', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (bytes, positions) => {
        for (const pieces of [cutAt(bytes, positions), singleBytes(bytes)]) {
          const { blocks, unfinished } = align(pieces);
          assert.deepEqual(Buffer.concat([...blocks, unfinished]), bytes);
          assert.deepEqual(readEvents(Buffer.concat(blocks)), readEvents(bytes));
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('every block ends where an event ends', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (bytes, positions) => {
        const { blocks } = align(cutAt(bytes, positions));
        const apart = blocks.flatMap((block) => readEvents(block).map(({ data }) => data));
        assert.deepEqual(
          apart,
          readEvents(bytes).map(({ data }) => data),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test('whole blocks are divided into the same events, with their bytes', () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        const events = [...eventsOf(bytes)];
        const data = events.flatMap((one) => one.data ?? []);
        assert.deepEqual(
          data,
          readEvents(bytes).map((one) => one.data),
        );
        for (const one of events) assert.ok(readEvents(one.bytes).length <= 1);
      }),
      { numRuns: 1000 },
    );
  });

  test('an event is handed out with the piece that completes it, whatever its line ends', () => {
    for (const end of ['\n', '\r\n']) {
      const whole = Buffer.from(`data: a${end}${end}`);
      assert.deepEqual(new EventAligner().push(whole), whole);
    }
  });

  test('an event ended by two CRs is complete: the next piece is not waited for (S-03)', () => {
    const aligner = new EventAligner();
    assert.equal(aligner.push(Buffer.from('data: a\r\r'))?.toString(), 'data: a\r\r');
    assert.equal(aligner.unfinished.length, 0);
  });

  test('an empty line too many leaves nothing unfinished, whatever the cut', () => {
    assert.equal(align([Buffer.from('data: a\n\n\n')]).unfinished.length, 0);
    assert.equal(
      align([Buffer.from('data: a\n\n'), Buffer.from('\n')])
        .unfinished.toString()
        .trim(),
      '',
    );
  });

  test('half an event is kept back and shown as unfinished', () => {
    const { blocks, unfinished } = align([Buffer.from('data: a\n\ndata: b\n'), Buffer.from('data: c')]);
    assert.equal(Buffer.concat(blocks).toString(), 'data: a\n\n');
    assert.equal(unfinished.toString(), 'data: b\ndata: c');
  });

  test('data lines are joined, one space after the colon is not data, comments have none', () => {
    const block = Buffer.from('data: a\ndata:b\ndata:  c\ndata:\n\n: ping\n\nid: 7\nevent: x\ndata: d\r\n\r\n');
    assert.deepEqual(
      [...eventsOf(block)].map(({ data }) => data),
      ['a\nb\n c\n', undefined, 'd'],
    );
  });
});

describe('large events', () => {
  const piecesOf = (bytes: Buffer, size: number): Buffer[] =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );

  const assertPassesWhole = (bytes: Buffer, size: number): void => {
    const { blocks } = align(piecesOf(bytes, size));
    assert.ok(blocks.length === 1 && blocks[0]?.equals(bytes) === true);
  };

  test('one event of 16 MiB passes in pieces of 64 KiB and of 1 KiB without copying it again and again (S-09)', () => {
    const event = (size: number): Buffer => Buffer.from(`data: ${'x'.repeat(size)}\n\n`);
    for (const size of [64 * 1024, 1024]) {
      assertPassesWhole(event(16 * MIB), size);
      assertGrowsLinearly(MIB, (length) => {
        const pieces = piecesOf(event(length), size);
        return () => align(pieces);
      });
    }
  });

  test('neither does an event of 4 MiB that has many lines', () => {
    const event = (lines: number): Buffer => Buffer.from(`${`data: ${'x'.repeat(1000)}\n`.repeat(lines)}\n`);
    assertPassesWhole(event(4096), 4096);
    assertGrowsLinearly(256, (lines) => {
      const pieces = piecesOf(event(lines), 4096);
      return () => align(pieces);
    });
  });

  test('a block of 2 MiB with many lines is divided in time that grows with its size only', () => {
    const block = (lines: number): Buffer => Buffer.from(`${'data: x\n'.repeat(lines)}\n`);
    assert.equal(eventsOf(block(MIB / 4)).length, 1);
    assertGrowsLinearly(MIB / 64, (lines) => {
      const bytes = block(lines);
      return () => eventsOf(bytes);
    });
  });

  test('an event without end is refused before it fills the memory', () => {
    const aligner = new EventAligner();
    const piece = Buffer.alloc(64 * 1024, 'x');
    let taken = 0;
    assert.throws(
      () => {
        for (; taken < 64 * MIB; taken += piece.length) aligner.push(piece);
      },
      { name: 'RangeError', message: 'an event of the stream is too large' },
    );
    assert.ok(taken >= 16 * MIB && taken <= 40 * MIB, `${taken} bytes`);
  });
});
