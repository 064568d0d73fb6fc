// What runs beside the requests: the poller, the archive, the webhooks. One of each per process.
import { Archiver } from './content/archiver.ts';
import type { TaskDependencies } from './dependencies.ts';
import { TaskPoller } from './poll/poll-tasks.ts';
import { WebhookSender } from './webhooks/send-webhooks.ts';

export class TaskEngine {
  readonly #poller: TaskPoller;
  readonly #archiver: Archiver;
  readonly #webhooks: WebhookSender;

  constructor(dependencies: TaskDependencies, settings: { silenceSeconds: number; workers: number }) {
    this.#archiver = new Archiver(dependencies);
    this.#poller = new TaskPoller(dependencies, { ...settings, onSucceeded: () => this.#archiver.wake() });
    this.#webhooks = new WebhookSender(dependencies);
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
