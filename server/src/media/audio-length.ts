// How long an audio file plays, from ranged reads of it: plain formats here, the others in one of a few processes, so that
// a slow file keeps only some of the others waiting, and none for long.
import { extname } from 'node:path';
import { MediaReader } from './media-reader.ts';
import { mayBeMedia } from './media-signature.ts';
import { mp3Seconds } from './mp3-length.ts';
import { ReaderQueue } from './reader-queue.ts';
import { type MediaSource, waveSeconds } from './wave-length.ts';

export interface AudioHint {
  contentType?: string;
  filename?: string;
}

const READERS = 2;
/** As long as a file may take that another is waiting for, and some more. */
const WAIT_LIMIT_MS = 3_000;
/** What is longer is a lie of the file. */
const MAX_SECONDS = 1_000_000;

export type MeasureAudio = (source: MediaSource, hint: AudioHint) => Promise<number | undefined>;

/** Undefined when it cannot be known, or not in time. Never rejects. */
export const audioSeconds: MeasureAudio = makeAudioMeter();

/** With limits of its own, for callers that can wait longer. */
export function makeAudioMeter({
  readMs,
  waitMs = WAIT_LIMIT_MS,
}: { readMs?: number; waitMs?: number } = {}): MeasureAudio {
  const readers = new ReaderQueue(
    Array.from({ length: READERS }, () => new MediaReader(readMs)),
    waitMs,
  );
  return async (source, hint) => {
    try {
      const exact = (await waveSeconds(source)) ?? (await mp3Seconds(source));
      if (exact !== undefined) return plausible(exact);
      if (!(await mayBeMedia(source))) return undefined;
    } catch {
      return undefined;
    }
    const reader = await readers.take();
    if (reader === undefined) return undefined;
    try {
      return plausible(await reader.measure(source, formatOf(hint)));
    } catch {
      return undefined;
    } finally {
      readers.giveBack(reader);
    }
  };
}

function plausible(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds >= 0 && seconds <= MAX_SECONDS ? seconds : undefined;
}

const ENDINGS: Record<string, string> = {
  mp4: 'm4a mp4 mov x-m4a quicktime',
  webm: 'webm mkv x-matroska',
  ogg: 'ogg oga opus',
  flac: 'flac x-flac',
  mp3: 'mp3 mpeg mpga',
  aac: 'aac x-aac',
};

/** What the client calls it is tried first; the bytes decide. */
function formatOf({ contentType = '', filename = '' }: AudioHint): string | undefined {
  const subtype = /^[a-z]+\/([a-z0-9.+-]+)/iu.exec(contentType)?.[1]?.toLowerCase();
  const ending = extname(filename).slice(1).toLowerCase();
  for (const word of [ending, subtype])
    for (const [format, words] of Object.entries(ENDINGS))
      if (word !== undefined && words.split(' ').includes(word)) return format;
  return undefined;
}
