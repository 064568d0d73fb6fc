// Reads a Range header of one range; several at once are answered whole, as RFC 9110 section 14.2 allows.

export type ByteRange = { start: number; end: number } | 'whole' | 'unsatisfiable';

/** `end` is the last byte, counted from 0. */
export function readRange(header: string | undefined, size: number): ByteRange {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const count = Number(last);
    return count === 0 ? 'unsatisfiable' : { start: Math.max(0, size - count), end: size - 1 };
  }
  const start = Number(first);
  if (start >= size) return 'unsatisfiable';
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return end < start ? 'whole' : { start, end };
}
