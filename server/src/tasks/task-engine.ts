// What runs beside the requests: the poller, the archive, the webhooks. One of each per process.
import { listUnarchived, type TaskRow } from '../store/queries/tasks.ts';
import { unixSeconds } from '../shared/clock.ts';
import { archiveVideo } from './content/archive-video.ts';
import type { TaskParts } from './parts.ts';
import { TaskPoller } from './poll/poll-tasks.ts';
import { WebhookSender } from './webhooks/send-webhooks.ts';

const ARCHIVE_ROUND_MS = 60_000;
/** Links live about a day: what was not copied by then cannot be copied any more. */
const ARCHIVE_SECONDS = 24 * 3_600;
const ARCHIVE_LIMIT = 20;

export class TaskEngine {
  readonly #parts: TaskParts;
  readonly #poller: TaskPoller;
  readonly #webhooks: WebhookSender;
  #timer: NodeJS.Timeout | undefined;
  #archiving: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(parts: TaskParts, settings: { silenceSeconds: number; workers: number }) {
    this.#parts = parts;
    this.#poller = new TaskPoller(parts, { ...settings, onSucceeded: (task) => this.#archive([task]) });
    this.#webhooks = new WebhookSender(parts);
  }

  start(): void {
    this.#poller.start();
    this.#webhooks.start();
    this.#timer = setInterval(() => void this.#archiveMissed(), ARCHIVE_ROUND_MS);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await Promise.all([this.#poller.stop(), this.#webhooks.stop(), this.#archiving]);
  }

  /** Those whose copy failed, or whose process died before it was made. */
  async #archiveMissed(): Promise<void> {
    const { store, clock, catalogue, onError } = this.#parts;
    const channelIds = catalogue.current.channels.filter(({ options }) => options.archive).map(({ id }) => id);
    try {
      const since = unixSeconds(clock) - ARCHIVE_SECONDS;
      this.#archive(await listUnarchived(store.reads, { channelIds, since, limit: ARCHIVE_LIMIT }));
    } catch (error) {
      onError(error, 'videos to be archived cannot be listed');
    }
  }

  /** One after another: nobody waits for it. */
  #archive(tasks: TaskRow[]): void {
    this.#archiving = tasks.reduce(
      (before, task) =>
        before.then(async () => {
          if (this.#isStopping) return;
          await archiveVideo(this.#parts, task).catch((error: unknown) =>
            this.#parts.onError(error, `the video of ${task.id} could not be archived`),
          );
        }),
      this.#archiving,
    );
  }
}
