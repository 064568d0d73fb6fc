// Requests at a fixed rate, whatever the answers do. Each is timed from the moment it was due: a relay that stalls is
// charged for all who would have come meanwhile, not only for the one that it kept waiting.
import { Connection } from './connection.ts';
import type { LoadJob } from './job.ts';
import { type Lane, sendOne } from './lane.ts';
import type { Tally } from './tally.ts';

const mostConnections = 500;
const openedBefore = 32;
/** Timers are good to a millisecond or so; the rest is waited for awake. */
const awakeMs = 1.5;

type PacedJob = Extract<LoadJob, { kind: 'paced' }>;

export class PacedLoad {
  readonly #job: PacedJob;
  readonly #request: Buffer;
  readonly #tally: Tally;
  readonly #lanes: Lane[] = [];
  readonly #free: Lane[] = [];
  /** Due times of those for whom no connection was free. */
  readonly #waiting: number[] = [];
  #underWay = 0;
  #isClosed = false;
  #onIdle: (() => void) | undefined;

  constructor(job: PacedJob, request: Buffer, tally: Tally) {
    this.#job = job;
    this.#request = request;
    this.#tally = tally;
  }

  async run(): Promise<void> {
    const opened = Array.from({ length: openedBefore }, () => this.#addLane());
    await Promise.all(opened.map((lane) => sendOne(lane)));
    this.#free.push(...opened);
    await this.#sendAll();
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  close(reason: string): void {
    this.#isClosed = true;
    for (const lane of this.#lanes) lane.connection.close(reason);
  }

  #sendAll(): Promise<void> {
    const { rate, seconds } = this.#job;
    const count = Math.round(rate * seconds);
    const start = performance.now() + 5;
    let sent = 0;
    return new Promise((resolve) => {
      const step = (): void => {
        const now = performance.now();
        while (sent < count && start + (sent * 1000) / rate <= now) {
          this.#send(start + (sent * 1000) / rate);
          sent += 1;
        }
        if (sent === count || this.#isClosed) {
          resolve();
          return;
        }
        const gap = start + (sent * 1000) / rate - performance.now();
        if (gap > awakeMs) setTimeout(step, gap - awakeMs);
        else setImmediate(step);
      };
      step();
    });
  }

  #send(due: number): void {
    const lane = this.#free.pop() ?? (this.#lanes.length < mostConnections ? this.#addLane() : undefined);
    if (lane === undefined) {
      this.#waiting.push(due);
      return;
    }
    this.#underWay += 1;
    void this.#follow(lane, due);
  }

  async #follow(lane: Lane, due: number): Promise<void> {
    for (let next: number | undefined = due; next !== undefined; next = this.#waiting.shift()) {
      if (await sendOne(lane)) this.#tally.time(next);
    }
    this.#free.push(lane);
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#onIdle?.();
  }

  #addLane(): Lane {
    const connection = new Connection(this.#job.target);
    const lane = { connection, job: this.#job, request: this.#request, tally: this.#tally };
    this.#lanes.push(lane);
    return lane;
  }
}
