// The worker: claims tasks that are due, by lease, and looks at them side by side with a limit per channel, so that a
// channel that hangs keeps nobody else waiting. Every process runs one; a task is claimed by one of them at a time.
import { bringForward, claimTasks, firstPollAt } from '../../store/queries/claim-tasks.ts';
import type { TaskRow } from '../../store/queries/tasks.ts';
import { pauseUntil, Rounds } from '../../shared/rounds.ts';
import { within } from '../../shared/wait.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { SOONEST } from './poll-schedule.ts';
import { pollTask } from './poll-task.ts';

export interface PollerSettings {
  /** A process silent for longer than this has lost its leases. */
  silenceSeconds: number;
  /** Processes of this machine that share what one may do; 1 by default. */
  workers?: number;
  /** Called for each task that has just succeeded. */
  onSucceeded(task: TaskRow): void;
}

const LEASE_SECONDS = 120;
/** What one machine does, by one process or several. `perRound` bounds the burst after a restart (promise V-08). */
export const MOST = { atOncePerChannel: 64, atOnce: 512, perRound: 64 };
const SHORTEST_ROUND_MS = 25;
export const LONGEST_ROUND_MS = 250;
/** While nothing is due. */
const LONGEST_REST_MS = 1_000;
const STOP_MS = 2_000;
/** A clock set back by more than this has put every next look too far away. */
const SET_BACK_MS = 5_000;

export class TaskPoller {
  readonly #dependencies: TaskDependencies;
  readonly #settings: PollerSettings;
  readonly #most: typeof MOST;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #busy = new Map<string, number>();
  readonly #rounds = new Rounds(() => this.#claim());
  readonly #roundMs: number;
  readonly #restMs: number;
  /** The clock of the last round, and a clock that nobody sets. */
  #last: { wall: number; steady: number } | undefined;
  /** By how much the clock was set back since looks were last put right. */
  #setBackMs = 0;

  constructor(dependencies: TaskDependencies, settings: PollerSettings) {
    this.#dependencies = dependencies;
    this.#settings = settings;
    const share = (most: number): number => Math.ceil(most / (settings.workers ?? 1));
    this.#most = {
      atOncePerChannel: share(MOST.atOncePerChannel),
      atOnce: share(MOST.atOnce),
      perRound: share(MOST.perRound),
    };
    this.#roundMs = Math.min(LONGEST_ROUND_MS, Math.max(SHORTEST_ROUND_MS, dependencies.pollMs / 4));
    // No longer than a new task waits for its first look, so that a rest misses none.
    this.#restMs = Math.min(LONGEST_REST_MS, Math.max(this.#roundMs, dependencies.pollMs * SOONEST));
  }

  start(): void {
    this.#rounds.start(this.#roundMs);
  }

  /** What is under way is cut: the next process, or another one, looks again. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
    this.#stopping.abort();
    await within(STOP_MS, Promise.all(this.#running));
  }

  /** Says when to claim again. */
  async #claim(): Promise<number> {
    const { store, clock, owner, onError } = this.#dependencies;
    const limit = Math.min(this.#most.perRound, this.#most.atOnce - this.#running.size);
    if (limit <= 0) return this.#roundMs;
    try {
      this.#watchClock();
      const dueAt = clock.now();
      if (this.#setBackMs > 0) {
        await bringForward(store, { after: dueAt, byMs: this.#setBackMs });
        this.#setBackMs = 0;
      }
      const first = (await firstPollAt(store.reads)) ?? Infinity;
      if (first > dueAt) return pauseUntil(first, dueAt, { least: this.#roundMs, most: this.#restMs });
      const tasks = await claimTasks(store, {
        owner,
        dueAt,
        now: await store.now(),
        leaseSeconds: LEASE_SECONDS,
        silence: this.#settings.silenceSeconds,
        capacity: new Map([...this.#busy].map(([channel, count]) => [channel, this.#most.atOncePerChannel - count])),
        capacityPerChannel: this.#most.atOncePerChannel,
        limit,
      });
      for (const task of tasks) this.#begin(task);
    } catch (error) {
      onError(error, 'due tasks cannot be claimed');
    }
    return this.#roundMs;
  }

  #watchClock(): void {
    const now = { wall: this.#dependencies.clock.now(), steady: performance.now() };
    const { wall, steady } = this.#last ?? now;
    this.#last = now;
    const back = now.steady - steady - (now.wall - wall);
    if (back > SET_BACK_MS) this.#setBackMs += Math.round(back);
  }

  #begin(task: TaskRow): void {
    const channel = task.channel_id ?? '';
    this.#busy.set(channel, (this.#busy.get(channel) ?? 0) + 1);
    const work = this.#look(task).finally(() => {
      this.#running.delete(work);
      const left = (this.#busy.get(channel) ?? 1) - 1;
      if (left === 0) this.#busy.delete(channel);
      else this.#busy.set(channel, left);
    });
    this.#running.add(work);
  }

  async #look(task: TaskRow): Promise<void> {
    try {
      const succeeded = await pollTask(this.#dependencies, task, this.#stopping.signal);
      if (succeeded !== undefined) this.#settings.onSucceeded(succeeded);
    } catch (error) {
      // The lease runs out and the task is looked at again.
      this.#dependencies.onError(error, `the task ${task.id} could not be looked at`);
    }
  }
}
