// Clients that read a little of a long stream and then nothing for a while. What a relay does with the rest meanwhile is
// what their row is about.
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoadJob } from './job.ts';
import type { Tally } from './tally.ts';

/** One read, which brings 64 KB at most, in so much time. */
const readEveryMs = 4000;

const timeoutMs = 30_000;

type SlowJob = Extract<LoadJob, { kind: 'slow' }>;

interface Reader {
  socket: Socket;
  /** Or has failed, and was counted as that. */
  hasBegun: boolean;
}

export class SlowReaders {
  readonly #job: SlowJob;
  readonly #request: Buffer;
  readonly #tally: Tally;
  readonly #readers: Reader[] = [];

  constructor(job: SlowJob, request: Buffer, tally: Tally) {
    this.#job = job;
    this.#request = request;
    this.#tally = tally;
  }

  async run(onAllOpen: () => void): Promise<void> {
    const { connections } = this.#job;
    for (let index = 0; index < connections; index += 1) {
      this.#open();
      await pause(1);
    }
    const deadline = performance.now() + timeoutMs;
    const hasAll = (): boolean => this.#readers.every(({ hasBegun }) => hasBegun);
    while (!hasAll() && performance.now() < deadline) await pause(20);
    onAllOpen();
    await pause(this.#job.seconds * 1000);
    this.#tally.kept = this.#readers.filter(({ socket }) => !socket.destroyed).length;
    for (const { hasBegun } of this.#readers) {
      if (!hasBegun) this.#tally.fail('not begun in time');
    }
  }

  close(): void {
    for (const { socket } of this.#readers) socket.destroy();
  }

  #open(): void {
    const { host, port } = this.#job.target;
    const socket = connect({ host, port, noDelay: true });
    const reader: Reader = { socket, hasBegun: false };
    this.#readers.push(reader);
    socket.write(this.#request);
    socket.on('data', (data) => {
      if (!reader.hasBegun) {
        reader.hasBegun = true;
        const status = data.toString('latin1', 9, 12);
        if (status === '200') this.#tally.requests += 1;
        else this.#tally.fail(`status ${status}`);
      }
      socket.pause();
      setTimeout(() => socket.resume(), readEveryMs).unref();
    });
    socket.on('error', (error) => {
      if (!reader.hasBegun) this.#tally.fail('code' in error ? String(error.code) : error.message);
      reader.hasBegun = true;
    });
    socket.on('close', () => {
      if (!reader.hasBegun) this.#tally.fail('connection closed early');
      reader.hasBegun = true;
    });
  }
}
