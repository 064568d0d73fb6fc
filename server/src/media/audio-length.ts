// How long an audio file plays, from ranged reads of it. One file at a time goes to the process that reads media; a
// file that takes it too long or too much costs that process, and nothing else.
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Mutex } from '../shared/mutex.ts';
import type { FromProcess, ToProcess } from './audio-length-process.ts';
import { mp3Seconds } from './mp3-length.ts';
import { type MediaSource, waveSeconds } from './wave-length.ts';

export interface AudioHint {
  contentType?: string;
  filename?: string;
}

const TIME_LIMIT_MS = 2_000;
const READ_LIMIT = 48 * 1024 * 1024;
const IDLE_MS = 30_000;
const HEAP_MB = 64;
/** What is longer is a lie of the file. */
const MAX_SECONDS = 1_000_000;

const turn = new Mutex();
let current: ChildProcess | undefined;
let idle: NodeJS.Timeout | undefined;

/** Undefined when it cannot be told. Never rejects. */
export async function audioSeconds(source: MediaSource, hint: AudioHint): Promise<number | undefined> {
  try {
    const exact = (await waveSeconds(source)) ?? (await mp3Seconds(source));
    if (exact !== undefined) return plausible(exact);
  } catch {
    return undefined;
  }
  await turn.lock();
  try {
    return plausible(await measure(source, formatOf(hint)));
  } catch {
    return undefined;
  } finally {
    turn.unlock();
  }
}

function measure(source: MediaSource, likely: string | undefined): Promise<number | undefined> {
  clearTimeout(idle);
  const reader = (current ??= startReader());
  const send = (message: ToProcess): void => void reader.send(message, () => {}); // one that has ended says so itself
  return new Promise((resolve) => {
    let estimate: number | undefined;
    let toRead = READ_LIMIT;
    let over = false;
    const finish = (seconds: number | undefined, next: () => void): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      reader.off('message', onMessage).off('exit', giveUp);
      next();
      resolve(seconds);
    };
    const giveUp = (): void => finish(estimate, () => stopReader(reader));
    const fetch = ({ id, start, end }: Extract<FromProcess, { kind: 'want' }>): void => {
      toRead -= end - start;
      if (toRead < 0) return giveUp();
      source.read(start, end).then((bytes) => over || send({ kind: 'bytes', id, bytes }), giveUp);
    };
    const onMessage = (message: FromProcess): void => {
      if (message.kind === 'estimate') estimate = message.seconds;
      else if (message.kind === 'done') finish(message.seconds ?? estimate, () => letRest(reader));
      else fetch(message);
    };
    const timer = setTimeout(giveUp, TIME_LIMIT_MS);
    reader.on('message', onMessage).on('exit', giveUp);
    send({ kind: 'measure', size: source.length, likely });
  });
}

function startReader(): ChildProcess {
  const reader = fork(fileURLToPath(new URL('./audio-length-process.ts', import.meta.url)), [], {
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  reader.on('error', () => {}); // it has not started, or ends: its time runs out, or its exit is heard
  reader.on('exit', () => {
    if (current === reader) current = undefined;
  });
  reader.unref();
  reader.channel?.unref();
  return reader;
}

function stopReader(reader: ChildProcess): void {
  if (current === reader) current = undefined;
  reader.kill('SIGKILL');
}

function letRest(reader: ChildProcess): void {
  idle = setTimeout(() => stopReader(reader), IDLE_MS).unref();
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
