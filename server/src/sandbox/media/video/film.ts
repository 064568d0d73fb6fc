// Makes a film of exactly the asked size and length, 24 pictures a second: a run of colours chosen by a seed, and a bar
// that fills as time goes by. The same seed, the same bytes; silent.
import { createHash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  blockSide,
  type Colour,
  type Picture,
  writeKeyPicture,
  writePictureParameters,
  writeRepeatedPicture,
  writeSequence,
} from './h264.ts';
import { type Sample, writeMp4 } from './mp4.ts';

const picturesPerSecond = 24;
const ticksPerPicture = 1000;
/** A new picture each second; between them the last one stands. */
const picturesPerKey = picturesPerSecond;

/** Both sides must be even. */
export type FilmOptions = { width: number; height: number; seconds: number; seed: string };

export async function makeFilm({ width, height, seconds, seed }: FilmOptions): Promise<Buffer> {
  const hash = createHash('sha256').update(seed).digest();
  const [columns, rows] = [Math.ceil(width / blockSide), Math.ceil(height / blockSide)];
  const ticks = Math.round(seconds * picturesPerSecond * ticksPerPicture);
  const count = Math.max(1, Math.floor(ticks / ticksPerPicture));
  const samples: Sample[] = [];
  for (let index = 0; index < count; index += 1) {
    const sinceKey = index % picturesPerKey;
    const share = Math.min(1, (index + picturesPerKey) / count);
    const picture = { columns, rows, colourAt: paint({ columns, rows, hash, share }) };
    const isKey = sinceKey === 0;
    // A large picture takes milliseconds, and others live in the same process.
    if (isKey) await nextTick();
    samples.push({
      bytes: isKey ? writeKeyPicture(picture, index / picturesPerKey) : writeRepeatedPicture(picture, sinceKey),
      // The last picture stands for what is left of a length that is no whole number of pictures.
      ticks: index === count - 1 ? ticks - ticksPerPicture * (count - 1) : ticksPerPicture,
      isKey,
    });
  }
  const units = { sequence: writeSequence(width, height), pictureParameters: writePictureParameters() };
  return writeMp4({ width, height, ticksPerSecond: picturesPerSecond * ticksPerPicture, ...units, samples });
}

type Scene = { columns: number; rows: number; hash: Buffer; share: number };

function paint({ columns, rows, hash, share }: Scene): Picture['colourAt'] {
  const even = (at: number): number => 64 + 2 * ((hash[at] ?? 0) >>> 2);
  const [blue, red] = [even(0), even(1)];
  const barRow = Math.max(0, rows - 2);
  const filled = Math.round(columns * share);
  const bar: Colour = [220, 128, 128];
  return (column, row) => {
    if (row === barRow && column < filled) return bar;
    const run = Math.floor((96 * (column + row)) / (columns + rows)) + Math.round(32 * share);
    return [48 + run, blue, red];
  };
}
