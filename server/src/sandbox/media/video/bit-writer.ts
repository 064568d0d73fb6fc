// Writes bits, most significant first, with the Exp-Golomb codes that H.264 uses for most numbers (its clause 9.1).

export type BitWriter = {
  bits(value: number, count: number): void;
  /** A text of zeros and ones, as the tables of the standard print codes. */
  code(text: string): void;
  unsigned(value: number): void;
  signed(value: number): void;
  /** A closing one and zeros up to the next byte; gives all that was written. */
  finish(): Buffer;
};

export function createBitWriter(): BitWriter {
  let buffer = Buffer.alloc(4096);
  let position = 0;

  function bit(value: number): void {
    const at = position >>> 3;
    if (at >= buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    if (value !== 0) buffer[at] = (buffer[at] ?? 0) | (128 >>> (position & 7));
    position += 1;
  }

  function bits(value: number, count: number): void {
    for (let shift = count - 1; shift >= 0; shift -= 1) bit((value >>> shift) & 1);
  }

  function unsigned(value: number): void {
    const length = 32 - Math.clz32(value + 1);
    bits(0, length - 1);
    bits(value + 1, length);
  }

  return {
    bits,
    code(text) {
      for (const sign of text) bit(sign === '1' ? 1 : 0);
    },
    unsigned,
    signed: (value) => unsigned(value > 0 ? value * 2 - 1 : value * -2),
    finish() {
      bit(1);
      return buffer.subarray(0, (position + 7) >>> 3);
    },
  };
}
