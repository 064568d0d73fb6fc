// The worker of the archive: takes one finished video after another, by lease, so that no video is fetched twice at a time
// by whatever process. What fails is tried again, later and later, as long as links live.
import { within } from '../../shared/wait.ts';
import { changeFinishedTask, claimUnarchived, type TaskRow } from '../../store/queries/tasks.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { archiveVideo, isArchived } from './archive-video.ts';

const ROUND_MS = 60_000;
/** Links live about a day: what was not copied by then cannot be copied any more. */
const LINK_SECONDS = 24 * 3_600;
const AT_ONCE = 2;
const DOWNLOAD_MS = 1_500_000;
/** Outlives the longest download. */
const LEASE_SECONDS = 1_800;
const [FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS] = [60, 3_600];
const STOP_MS = 2_000;

export class Archiver {
  readonly #dependencies: TaskDependencies;
  readonly #stopping = new AbortController();
  readonly #workers = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(dependencies: TaskDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), ROUND_MS);
    this.wake(); // what a process that is gone has left: some links live for an hour
  }

  /** There may be something to copy. */
  wake(): void {
    if (this.#stopping.signal.aborted || this.#workers.size >= AT_ONCE) return;
    const worker = this.#work().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  /** Downloads are cut; another process, or the next one, makes them again. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await within(STOP_MS, Promise.all(this.#workers));
  }

  async #work(): Promise<void> {
    try {
      for (let task = await this.#next(); task !== undefined; task = await this.#next()) await this.#copy(task);
    } catch (error) {
      this.#dependencies.onError(error, 'videos to be archived cannot be found');
    }
  }

  async #next(): Promise<TaskRow | undefined> {
    const { store, catalogue } = this.#dependencies;
    const channelIds = catalogue.current.channels.filter(isArchived).map(({ id }) => id);
    if (channelIds.length === 0 || this.#stopping.signal.aborted) return undefined;
    const now = await store.now();
    return claimUnarchived(store, { channelIds, since: now - LINK_SECONDS, now, leaseSeconds: LEASE_SECONDS });
  }

  async #copy(task: TaskRow): Promise<void> {
    const { store, onError } = this.#dependencies;
    const stopping = this.#stopping.signal;
    try {
      await archiveVideo(this.#dependencies, task, AbortSignal.any([stopping, AbortSignal.timeout(DOWNLOAD_MS)]));
    } catch (error) {
      if (!stopping.aborted) onError(error, `the video of ${task.id} could not be archived`);
      const pause = stopping.aborted ? 0 : FIRST_PAUSE_SECONDS * 2 ** (task.archive_tries - 1);
      const archive_at = (await store.now()) + Math.min(pause, LONGEST_PAUSE_SECONDS);
      await changeFinishedTask(store, task.id, { archive_at });
    }
  }
}
