// A process that reads media, one file at a time, started when it is needed. A file that takes it too long or too much
// costs that process, and nothing else.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromProcess, ToProcess } from './audio-length-process.ts';
import type { MediaSource } from './wave-length.ts';

const TIME_LIMIT_MS = 2_000;
const READ_LIMIT = 48 * 1024 * 1024;
const IDLE_MS = 30_000;
const HEAP_MB = 64;

export class MediaReader {
  readonly #timeLimitMs: number;
  #process: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(timeLimitMs = TIME_LIMIT_MS) {
    this.#timeLimitMs = timeLimitMs;
  }

  /** Undefined when it cannot be known; may not be called again before. */
  measure(source: MediaSource, likely: string | undefined): Promise<number | undefined> {
    clearTimeout(this.#idle);
    const reader = (this.#process ??= this.#start());
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
      const giveUp = (): void => finish(estimate, () => this.#stop(reader));
      const fetch = ({ id, start, end }: Extract<FromProcess, { kind: 'want' }>): void => {
        toRead -= end - start;
        if (toRead < 0) return giveUp();
        source.read(start, end).then((bytes) => over || send({ kind: 'bytes', id, bytes }), giveUp);
      };
      const onMessage = (message: FromProcess): void => {
        if (message.kind === 'estimate') estimate = message.seconds;
        else if (message.kind === 'done') finish(message.seconds ?? estimate, () => this.#letRest(reader));
        else fetch(message);
      };
      const timer = setTimeout(giveUp, this.#timeLimitMs);
      reader.on('message', onMessage).on('exit', giveUp);
      send({ kind: 'measure', size: source.length, likely });
    });
  }

  #start(): ChildProcess {
    const reader = fork(fileURLToPath(new URL('./audio-length-process.ts', import.meta.url)), [], {
      env: {}, // it reads what strangers sent: nothing of this process is known there, nor where its compiled code lies
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    reader.on('error', () => {}); // it has not started, or ends: its time runs out, or its exit is heard
    reader.on('exit', () => {
      if (this.#process === reader) this.#process = undefined;
    });
    reader.unref();
    reader.channel?.unref();
    return reader;
  }

  #stop(reader: ChildProcess): void {
    if (this.#process === reader) this.#process = undefined;
    reader.kill('SIGKILL');
  }

  #letRest(reader: ChildProcess): void {
    this.#idle = setTimeout(() => this.#stop(reader), IDLE_MS).unref();
  }
}
