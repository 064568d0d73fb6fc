// Makes a PNG of exactly the asked size, its pattern and colours chosen by a seed: the same seed, the same bytes.
// https://www.w3.org/TR/png-3/
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

export type PngOptions = {
  width: number;
  height: number;
  seed: string;
  /** Lets the background show through where the pattern is darkest. */
  transparent?: boolean;
};

const compress = promisify(deflate);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const colours = 256;

export async function makePng({ width, height, seed, transparent = false }: PngOptions): Promise<Buffer> {
  const hash = createHash('sha256').update(seed).digest();
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a pixel, by palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    writeChunk('IHDR', header),
    writeChunk('PLTE', makePalette(hash)),
    ...(transparent ? [writeChunk('tRNS', Buffer.alloc(colours / 4))] : []),
    writeChunk('tEXt', Buffer.from(`Software\0Tollgate sandbox ${hash.toString('hex')}`, 'latin1')),
    writeChunk('IDAT', await compress(makeRows(width, height, hash), { level: 1 })),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function writeChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}

/** A run from one colour of the seed to another and back. */
function makePalette(hash: Buffer): Buffer {
  const palette = Buffer.alloc(colours * 3);
  for (let index = 0; index < colours; index += 1) {
    const share = 1 - Math.abs(1 - (2 * index) / colours);
    for (let channel = 0; channel < 3; channel += 1) {
      const [from, to] = [hash[channel] ?? 0, hash[channel + 3] ?? 0];
      palette[index * 3 + channel] = Math.round(from + (to - from) * share);
    }
  }
  return palette;
}

/** Diagonal waves. Every row is a piece of one line, taken further along: as cheap to make as to copy. */
function makeRows(width: number, height: number, hash: Buffer): Buffer {
  const step = 1 + ((hash[6] ?? 0) % 3);
  const slope = 1 + ((hash[7] ?? 0) % 5);
  const line = Buffer.alloc(width + colours);
  for (let x = 0; x < line.length; x += 1) line[x] = (x * step) % colours;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const shift = (y * slope + (hash[8] ?? 0)) % colours;
    line.copy(rows, y * (width + 1) + 1, shift, shift + width);
  }
  return rows;
}
