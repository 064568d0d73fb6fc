// What a start has started so far. All of it is stopped in reverse order, at the end of the process or when the start fails.
import { stopInOrder, type StopStep } from '../shared/stop-in-order.ts';
import { within } from '../shared/wait.ts';
import type { Logger } from '../telemetry/logger.ts';

/** A failed start reports its error at most this much later, whatever does not stop. */
const FAILED_START_MS = 5_000;

export class StartedParts {
  readonly #logger: Pick<Logger, 'error'>;
  readonly #parts: { name: string; stop(graceMs: number): unknown }[] = [];

  constructor(logger: Pick<Logger, 'error'>) {
    this.#logger = logger;
  }

  /** To be called before the part starts anything that a failure would leave behind. `graceMs` is for requests under way. */
  add(name: string, stop: (graceMs: number) => unknown): void {
    this.#parts.push({ name, stop });
  }

  /** Rejects at the end, with all errors, when something could not be stopped. */
  async stop(graceMs: number): Promise<void> {
    const steps = this.#parts.toReversed().map(({ name, stop }): StopStep => [name, () => stop(graceMs)]);
    await stopInOrder(steps, (error, name) => this.#logger.error({ error }, `${name} could not be stopped cleanly`));
  }

  /** Never rejects: the error of the start matters more, and the log has the others. */
  async stopAfterFailure(): Promise<void> {
    await within(
      FAILED_START_MS,
      this.stop(0).catch(() => undefined),
    );
  }
}
