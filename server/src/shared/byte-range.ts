// Reads a Range header of one range; several at once are answered whole, as RFC 9110 section 14.2 allows.
export type ByteRange = { start: number; end: number } | 'whole' | 'unsatisfiable';

/** `end` is the last byte, counted from 0. */
export function readByteRange(header: string | undefined, size: number): ByteRange {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  if (start >= size) return 'unsatisfiable';
  if (last !== '' && Number(last) < start) return 'whole';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
