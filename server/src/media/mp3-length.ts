// The exact length of an MP3 file: the sum of its frames, whatever its headers claim and however its bit rate varies.
import type { MediaSource } from './wave-length.ts';

const PIECE_BYTES = 256 * 1024;
const HEADER_BYTES = 4;
const MAX_TAGS = 16;
const MAX_BYTES = 64 * 1024 * 1024;

/** Bits 00 are MPEG 2.5, 10 are MPEG 2, 11 are MPEG 1. */
const RATES: Record<number, number[]> = { 0: [11025, 12000, 8000], 2: [22050, 24000, 16000], 3: [44100, 48000, 32000] };
const BIT_RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BIT_RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

interface Frame {
  /** What all frames of a file have in common. */
  rate: number;
  samples: number;
  bytes: number;
}

/** Undefined for what does not begin with two frames of layer III; then others may try. */
export async function mp3Seconds(source: MediaSource): Promise<number | undefined> {
  const start = await skipTags(source);
  if (source.length - start > MAX_BYTES) return undefined;
  let first: Frame | undefined;
  let samples = 0;
  let at = start;
  while (at + HEADER_BYTES <= source.length) {
    const pieceStart = at;
    const piece = await source.read(at, Math.min(source.length, at + PIECE_BYTES));
    while (at + HEADER_BYTES <= pieceStart + piece.length) {
      const frame = readFrame(piece.readUInt32BE(at - pieceStart));
      if (first === undefined) {
        if (frame === undefined || !(await isFrame(source, at + frame.bytes))) return undefined;
        first = frame;
        if (!isInfo(piece.subarray(0, frame.bytes))) samples += frame.samples;
        at += frame.bytes;
      } else if (frame?.rate === first.rate && frame.samples === first.samples) {
        if (at + frame.bytes > source.length) return samples / first.rate; // the last one is cut off
        samples += frame.samples;
        at += frame.bytes;
      } else {
        at++; // a tag at the end, or damage: go on with the next frame
      }
    }
  }
  return first === undefined ? undefined : samples / first.rate;
}

/** https://id3.org/id3v2.4.0-structure section 3.1: ten bytes with the size of the rest in four times seven bits. */
async function skipTags(source: MediaSource): Promise<number> {
  let at = 0;
  for (let tags = 0; tags < MAX_TAGS && at + 10 <= source.length; tags++) {
    const head = await source.read(at, at + 10);
    if (head.toString('latin1', 0, 3) !== 'ID3') break;
    const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6);
    const footer = ((head[5] ?? 0) & 0x10) === 0 ? 0 : 10;
    at += 10 + (a & 127) * 0x20_0000 + (b & 127) * 0x4000 + (c & 127) * 0x80 + (d & 127) + footer;
  }
  return at;
}

async function isFrame(source: MediaSource, at: number): Promise<boolean> {
  if (at + HEADER_BYTES > source.length) return false;
  return readFrame((await source.read(at, at + HEADER_BYTES)).readUInt32BE()) !== undefined;
}

function readFrame(header: number): Frame | undefined {
  const version = (header >>> 19) & 3;
  const layer = (header >>> 17) & 3;
  const rate = RATES[version]?.[(header >>> 10) & 3];
  const bitRate = (version === 3 ? BIT_RATES_1 : BIT_RATES_2)[(header >>> 12) & 15];
  if (header >>> 21 !== 0x7ff || layer !== 1 || rate === undefined || bitRate === undefined || bitRate === 0)
    return undefined;
  const samples = version === 3 ? 1152 : 576;
  return { rate, samples, bytes: Math.floor(((samples / 8) * bitRate * 1000) / rate) + ((header >>> 9) & 1) };
}

/** The first frame may hold a table instead of sound. */
function isInfo(frame: Buffer): boolean {
  const text = frame.toString('latin1', 0, 48);
  return text.includes('Xing') || text.includes('Info');
}
