// What runs beside the requests: the poller, the archive, the webhooks. One of each per process.
import { Archiver } from './content/archiver.ts';
import type { TaskParts } from './parts.ts';
import { TaskPoller } from './poll/poll-tasks.ts';
import { WebhookSender } from './webhooks/send-webhooks.ts';

export class TaskEngine {
  readonly #poller: TaskPoller;
  readonly #archiver: Archiver;
  readonly #webhooks: WebhookSender;

  constructor(parts: TaskParts, settings: { silenceSeconds: number; workers: number }) {
    this.#archiver = new Archiver(parts);
    this.#poller = new TaskPoller(parts, { ...settings, onSucceeded: () => this.#archiver.wake() });
    this.#webhooks = new WebhookSender(parts);
  }

  start(): void {
    this.#poller.start();
    this.#archiver.start();
    this.#webhooks.start();
  }

  /** A webhook was written together with the end of a task. */
  wakeWebhooks(): void {
    this.#webhooks.wake();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#poller.stop(), this.#archiver.stop(), this.#webhooks.stop()]);
  }
}
