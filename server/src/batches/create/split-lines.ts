// Cuts a stream into lines, each with where it begins. Only one line is in memory at a time.
export interface InputLine {
  bytes: Buffer;
  /** Of its first byte in the input. */
  start: number;
}

const NEW_LINE = 0x0a;

/** Lines of white space alone are left out. Yields a line without bytes for one that is longer than `most`. */
export async function* splitLines(input: AsyncIterable<Buffer>, most: number): AsyncGenerator<InputLine> {
  let pieces: Buffer[] = [];
  let length = 0;
  let start = 0;
  let position = 0;
  const take = (): InputLine | undefined => {
    const line = length > most ? { bytes: EMPTY, start } : { bytes: Buffer.concat(pieces), start };
    [pieces, length, start] = [[], 0, position];
    return line.bytes.length > 0 && isBlank(line.bytes) ? undefined : line;
  };
  for await (const chunk of input) {
    for (let from = 0; from < chunk.length;) {
      const at = chunk.indexOf(NEW_LINE, from);
      const end = at === -1 ? chunk.length : at;
      length += end - from;
      if (length <= most) pieces.push(Buffer.from(chunk.subarray(from, end)));
      position += end - from + (at === -1 ? 0 : 1);
      from = end + 1;
      if (at === -1) continue;
      const isEmpty = length === 0;
      const line = take();
      if (line !== undefined && !isEmpty) yield line;
    }
  }
  if (length === 0) return;
  const last = take();
  if (last !== undefined) yield last;
}

const EMPTY = Buffer.alloc(0);

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}
