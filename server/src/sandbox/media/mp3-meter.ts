// Adds up the frames of an MP3 that comes in pieces; anything else measures 0 seconds.
import { readMp3Frame } from './mp3-frame.ts';

export type Mp3Meter = { push(bytes: Buffer): void; seconds(): number };

const tagHeaderBytes = 10;
const frameHeaderBytes = 4;

export function createMp3Meter(): Mp3Meter {
  let rest: Buffer = Buffer.alloc(0);
  let skip = 0;
  let isStart = true;
  let isOver = false;
  let total = 0;

  /** How far the next tag or frame reaches; 0 when more bytes are needed. */
  function measure(bytes: Buffer): number {
    const needed = isStart ? tagHeaderBytes : frameHeaderBytes;
    if (bytes.length < needed) return 0;
    if (isStart && bytes.toString('latin1', 0, 3) === 'ID3') {
      isStart = false;
      return tagHeaderBytes + bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
    }
    isStart = false;
    const frame = readMp3Frame(bytes.readUInt32BE(0));
    isOver = frame === undefined;
    total += frame?.seconds ?? 0;
    return frame?.bytes ?? 0;
  }

  return {
    push(piece) {
      if (isOver) return;
      let bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      while (!isOver) {
        const passed = Math.min(skip, bytes.length);
        bytes = bytes.subarray(passed);
        skip -= passed;
        if (skip > 0) break;
        skip = measure(bytes);
        if (skip === 0) break;
      }
      rest = isOver ? Buffer.alloc(0) : Buffer.from(bytes);
    },
    seconds: () => total,
  };
}
