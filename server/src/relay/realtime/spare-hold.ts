// Money that is held before anybody knows for what: a pause in what is heard begins a response, and nobody is asked first.
import type { Held, SessionScope } from './session-scope.ts';

export class SpareHold {
  readonly #scope: SessionScope;
  #held: Held | undefined;
  #isOver = false;

  constructor(scope: SessionScope) {
    this.#scope = scope;
  }

  /** Makes sure that as much is held as `needed` says; `make` holds more than that, so that it lasts for a while. */
  async ensure(needed: (held: Held) => bigint, make: () => Promise<Held>): Promise<void> {
    const before = this.#held;
    if (before !== undefined && before.amount >= needed(before)) return;
    // The old one first: what is left may cover one of them only.
    this.#held = undefined;
    if (before !== undefined) await this.#scope.giveBack(before);
    await this.keep(await make()); // another may have been made meanwhile
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  take(): Held | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held;
  }

  /** One that was not used after all. */
  async keep(held: Held): Promise<void> {
    if (this.#held === undefined && !this.#isOver) this.#held = held;
    else await this.#scope.giveBack(held);
  }

  /** What is still being held is given back when it is. */
  async end(): Promise<void> {
    this.#isOver = true;
    const held = this.take();
    if (held !== undefined) await this.#scope.giveBack(held);
  }
}
