// QR codes (ISO/IEC 18004): text as bytes, error correction M, versions 1 to 20. Written here because the page loads nothing
// from outside and needs one picture.
const VERSIONS = 20;
/** Of level M, by version: check bytes of each block, and how many blocks there are. */
const CHECK_BYTES = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
const LEVEL_M = 0;
const MASK = 0;

interface Layout {
  version: number;
  size: number;
  /** Bytes for text and checks together. */
  bytes: number;
  checkBytes: number;
  blocks: number;
}

/** Rows of dark modules, without the quiet zone; undefined when the text is too long. */
export function qrCode(text: string): boolean[][] | undefined {
  const data = new TextEncoder().encode(text);
  for (let version = 1; version <= VERSIONS; version++) {
    const layout = layoutOf(version);
    const room = layout.bytes - layout.checkBytes * layout.blocks;
    const countBits = version < 10 ? 8 : 16;
    if (4 + countBits + data.length * 8 > room * 8) continue;
    const field = new Field(layout);
    field.write(interleave(frame(data, countBits, room), layout));
    return field.dark;
  }
  return undefined;
}

function layoutOf(version: number): Layout {
  const size = version * 4 + 17;
  const [checkBytes = 0, blocks = 0] = [CHECK_BYTES[version - 1], BLOCKS[version - 1]];
  const patterns = version === 1 ? 0 : Math.floor(version / 7) + 2;
  // All modules, less finders, timing, format, alignment patterns and the version's own number.
  let bits = (16 * version + 128) * version + 64;
  if (version > 1) bits -= (25 * patterns - 10) * patterns - 55;
  if (version >= 7) bits -= 36;
  return { version, size, bytes: Math.floor(bits / 8), checkBytes, blocks };
}

/** Mode, length, bytes, end, and filling to the full room. */
function frame(data: Uint8Array, countBits: number, room: number): number[] {
  const bits = [0, 1, 0, 0, ...bitsOf(data.length, countBits), ...[...data].flatMap((byte) => bitsOf(byte, 8))];
  for (let end = 0; end < 4 && bits.length < room * 8; end++) bits.push(0);
  while (bits.length % 8 !== 0) bits.push(0);
  const bytes = Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
  );
  for (let filler = 0xec; bytes.length < room; filler ^= 0xfd) bytes.push(filler);
  return bytes;
}

function bitsOf(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => (value >> (count - 1 - index)) & 1);
}

/** Blocks with their checks, one byte of each after the other: a scratch then hurts each of them a little. */
function interleave(data: number[], { bytes, checkBytes, blocks }: Layout): number[] {
  const shortBlocks = blocks - (bytes % blocks);
  const shortLength = Math.floor(bytes / blocks) - checkBytes;
  const divisor = generator(checkBytes);
  const parts: number[][] = [];
  const checks: number[][] = [];
  for (let block = 0, at = 0; block < blocks; block++) {
    const length = shortLength + (block < shortBlocks ? 0 : 1);
    const part = data.slice(at, at + length);
    at += length;
    parts.push(part);
    checks.push(remainder(part, divisor));
  }
  const turns = (lists: number[][], length: number) =>
    Array.from({ length }, (_, turn) => lists.flatMap((list) => list[turn] ?? [])).flat();
  return [...turns(parts, shortLength + 1), ...turns(checks, checkBytes)];
}

/** Product in the field of 256 elements with the polynomial 0x11d. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** Coefficients of the Reed-Solomon divisor, without the leading one. */
function generator(degree: number): number[] {
  const result: number[] = Array.from({ length: degree }, (_, index) => (index === degree - 1 ? 1 : 0));
  for (let turn = 0, root = 1; turn < degree; turn++, root = multiply(root, 2)) {
    for (let index = 0; index < degree; index++)
      result[index] = multiply(result[index] ?? 0, root) ^ (result[index + 1] ?? 0);
  }
  return result;
}

function remainder(data: number[], divisor: number[]): number[] {
  const result = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (result.shift() ?? 0);
    result.push(0);
    for (const [index, coefficient] of divisor.entries())
      result[index] = (result[index] ?? 0) ^ multiply(coefficient, factor);
  }
  return result;
}

/** The square: what is drawn into every code first, then the bytes around it. */
class Field {
  readonly dark: boolean[][];
  readonly #taken: boolean[][];
  readonly #size: number;

  constructor({ version, size }: Layout) {
    this.#size = size;
    const rows = () => Array.from({ length: size }, () => Array.from({ length: size }, () => false));
    this.dark = rows();
    this.#taken = rows();
    for (let index = 0; index < size; index++) {
      this.#set(6, index, index % 2 === 0);
      this.#set(index, 6, index % 2 === 0);
    }
    for (const [x, y] of [
      [3, 3],
      [size - 4, 3],
      [3, size - 4],
    ] as const)
      this.#square(x, y, 4);
    const centres = alignmentCentres(version, size);
    const last = centres.length - 1;
    for (const [i, x] of centres.entries()) {
      for (const [j, y] of centres.entries()) {
        const onFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
        if (!onFinder) this.#square(x, y, 2);
      }
    }
    this.#format();
    if (version >= 7) this.#version(version);
  }

  /** Upwards and downwards in columns of two, from the right; then the mask, which here is a chessboard. */
  write(bytes: number[]): void {
    const bits = bytes.flatMap((byte) => bitsOf(byte, 8));
    let next = 0;
    for (let right = this.#size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      const upwards = ((right + 1) & 2) === 0;
      for (let step = 0; step < this.#size; step++) {
        const y = upwards ? this.#size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.#taken[y]?.[x] === true) continue;
          const bit = bits[next++] === 1;
          this.#set(x, y, (x + y) % 2 === 0 ? !bit : bit);
        }
      }
    }
  }

  #set(x: number, y: number, dark: boolean): void {
    const [row, taken] = [this.dark[y], this.#taken[y]];
    if (row === undefined || taken === undefined || x < 0 || x >= this.#size) return;
    row[x] = dark;
    taken[x] = true;
  }

  /** Rings around a centre; the outermost of a finder is its light border. */
  #square(x: number, y: number, radius: number): void {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        this.#set(x + dx, y + dy, radius === 4 ? ring !== 2 && ring !== 4 : ring !== 1);
      }
    }
  }

  #format(): void {
    const data = (LEVEL_M << 3) | MASK;
    const bits = ((data << 10) | checkOf(data, 10, 0x537)) ^ 0x5412;
    const bit = (index: number) => ((bits >> index) & 1) === 1;
    const size = this.#size;
    for (let index = 0; index < 6; index++) this.#set(8, index, bit(index));
    this.#set(8, 7, bit(6));
    this.#set(8, 8, bit(7));
    this.#set(7, 8, bit(8));
    for (let index = 9; index < 15; index++) this.#set(14 - index, 8, bit(index));
    for (let index = 0; index < 8; index++) this.#set(size - 1 - index, 8, bit(index));
    for (let index = 8; index < 15; index++) this.#set(8, size - 15 + index, bit(index));
    this.#set(8, size - 8, true);
  }

  #version(version: number): void {
    const bits = (version << 12) | checkOf(version, 12, 0x1f25);
    for (let index = 0; index < 18; index++) {
      const dark = ((bits >> index) & 1) === 1;
      const [a, b] = [this.#size - 11 + (index % 3), Math.floor(index / 3)];
      this.#set(a, b, dark);
      this.#set(b, a, dark);
    }
  }
}

function checkOf(data: number, degree: number, polynomial: number): number {
  let rest = data;
  for (let turn = 0; turn < degree; turn++) rest = (rest << 1) ^ ((rest >> (degree - 1)) * polynomial);
  return rest;
}

function alignmentCentres(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const rest = Array.from({ length: count - 1 }, (_, index) => size - 7 - index * step).toReversed();
  return [6, ...rest];
}
