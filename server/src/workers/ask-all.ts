// A question to several workers that is answered when all of them have answered, have ended, or have taken too long.
import { within } from '../shared/wait.ts';

export interface AskedWorker {
  id: number;
  ask(question: number): void;
}

const TIMEOUT_MS = 2_000;

export class AskAll {
  readonly #waiting = new Map<number, Map<number, () => void>>();
  #questions = 0;

  async ask(workers: readonly AskedWorker[]): Promise<void> {
    const question = ++this.#questions;
    const answers = new Map<number, () => void>();
    this.#waiting.set(question, answers);
    const all = workers.map(
      ({ id, ask }) =>
        new Promise<void>((resolve) => {
          answers.set(id, resolve);
          ask(question);
        }),
    );
    await within(TIMEOUT_MS, Promise.all(all));
    this.#waiting.delete(question);
  }

  answered(workerId: number, question: number): void {
    this.#waiting.get(question)?.get(workerId)?.();
  }

  /** Who has ended answers nothing any more. */
  left(workerId: number): void {
    for (const answers of this.#waiting.values()) answers.get(workerId)?.();
  }
}
