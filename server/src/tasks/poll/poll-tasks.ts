// The worker: claims tasks that are due, by lease, and looks at them side by side with a limit per channel, so that a
// channel that hangs keeps nobody else waiting. Every process runs one; a task is claimed by one of them at a time.
import { claimTasks, hasDueTasks, type TaskRow } from '../../store/queries/tasks.ts';
import { within } from '../../shared/wait.ts';
import type { TaskParts } from '../parts.ts';
import { pollTask } from './poll-task.ts';

export interface PollerSettings {
  /** A process silent for longer than this has lost its leases. */
  silenceSeconds: number;
  /** Told of each task that has just succeeded. */
  onSucceeded(task: TaskRow): void;
}

const LEASE_SECONDS = 120;
const AT_ONCE_PER_CHANNEL = 64;
const AT_ONCE = 512;
/** Claimed in one round: bounds the burst after a restart (promise V-08). */
const PER_ROUND = 64;
const [SHORTEST_ROUND_MS, LONGEST_ROUND_MS] = [25, 250];
const STOP_MS = 2_000;

export class TaskPoller {
  readonly #parts: TaskParts;
  readonly #settings: PollerSettings;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #busy = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(parts: TaskParts, settings: PollerSettings) {
    this.#parts = parts;
    this.#settings = settings;
  }

  start(): void {
    const interval = Math.min(LONGEST_ROUND_MS, Math.max(SHORTEST_ROUND_MS, this.#parts.pollMs / 4));
    this.#timer = setInterval(() => {
      this.#round ??= this.#claim().finally(() => {
        this.#round = undefined;
      });
    }, interval);
  }

  /** What is under way is cut: the next process, or another one, looks again. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
    this.#stopping.abort();
    await within(STOP_MS, Promise.all(this.#running));
  }

  async #claim(): Promise<void> {
    const { store, clock, owner, onError } = this.#parts;
    const limit = Math.min(PER_ROUND, AT_ONCE - this.#running.size);
    if (limit <= 0) return;
    try {
      const dueAt = clock.now();
      if (!(await hasDueTasks(store.reads, dueAt))) return;
      const tasks = await claimTasks(store, {
        owner,
        dueAt,
        now: await store.now(),
        leaseSeconds: LEASE_SECONDS,
        silence: this.#settings.silenceSeconds,
        room: new Map([...this.#busy].map(([channel, count]) => [channel, AT_ONCE_PER_CHANNEL - count])),
        roomPerChannel: AT_ONCE_PER_CHANNEL,
        limit,
      });
      for (const task of tasks) this.#begin(task);
    } catch (error) {
      onError(error, 'due tasks cannot be claimed');
    }
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
      const succeeded = await pollTask(this.#parts, task, this.#stopping.signal);
      if (succeeded !== undefined) this.#settings.onSucceeded(succeeded);
    } catch (error) {
      // The lease runs out and the task is looked at again.
      this.#parts.onError(error, `the task ${task.id} could not be looked at`);
    }
  }
}
