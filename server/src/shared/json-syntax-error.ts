// What is wrong with a JSON text, and where.
const [SPACE, DELETE] = [0x20, 0x7f];

export class JsonSyntaxError extends Error {
  /** Byte offset of what is wrong. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = 'JsonSyntaxError';
    this.position = position;
  }
}

/** Throws for what stands at this position, or for the end of the bytes there. */
export function failAt(bytes: Buffer, position: number): never {
  const byte = bytes[position];
  if (byte === undefined) throw new JsonSyntaxError(`unexpected end at byte ${position}`, position);
  const shown =
    byte > SPACE && byte < DELETE
      ? `character '${String.fromCharCode(byte)}'`
      : `byte 0x${byte.toString(16).padStart(2, '0')}`;
  throw new JsonSyntaxError(`unexpected ${shown} at byte ${position}`, position);
}

/** Of a name, a number or a run of blanks: longer ones are nobody's, and would have to be walked in slices too. */
export const MOST_RUN = 64 * 1024;

export function tooLong(what: string, position: number): JsonSyntaxError {
  return new JsonSyntaxError(`${what} of more than ${MOST_RUN} bytes at byte ${position}`, position);
}
