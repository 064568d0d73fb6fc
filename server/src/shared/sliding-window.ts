// A sum over the last minute, kept in pieces of one second. Here because limits of tokens (access) and of channels (routing)
// count the same way. One piece more than a minute is counted, so that no minute whatever holds more than its limit.
const MINUTE = 60;
const SIZE = MINUTE + 1;

export class SlidingWindow {
  readonly #pieces = new Float64Array(SIZE);
  #second = 0;
  #sum = 0;

  /** What was counted in the minute before `now` (ms). */
  sum(now: number): number {
    this.#advance(now);
    return this.#sum;
  }

  add(now: number, amount: number): void {
    this.#advance(now);
    this.#addTo(this.#second, amount);
  }

  /** Changes what was counted in an earlier second; nothing once that second has left the window. */
  correct(now: number, second: number, amount: number): void {
    this.#advance(now);
    if (second > this.#second - SIZE && second <= this.#second) this.#addTo(second, amount);
  }

  /** Milliseconds until `amount` more stays within the limit; Infinity when it never will. */
  wait(now: number, limit: number, amount: number): number {
    this.#advance(now);
    if (amount > limit) return Infinity;
    let rest = this.#sum;
    if (rest + amount <= limit) return 0;
    for (let second = this.#second - MINUTE; second <= this.#second; second++) {
      rest -= this.#pieces[second % SIZE] ?? 0;
      if (rest + amount <= limit) return leaves(second) - now;
    }
    return leaves(this.#second) - now;
  }

  /** Milliseconds until everything counted so far has left. */
  untilEmpty(now: number): number {
    this.#advance(now);
    for (let second = this.#second; this.#sum > 0 && second >= this.#second - MINUTE; second--)
      if ((this.#pieces[second % SIZE] ?? 0) > 0) return leaves(second) - now;
    return 0;
  }

  #addTo(second: number, amount: number): void {
    const index = second % SIZE;
    const before = this.#pieces[index] ?? 0;
    const after = Math.max(0, before + amount);
    this.#pieces[index] = after;
    this.#sum += after - before;
  }

  /** A clock that goes back is waited for, however long: give it a steady one. */
  #advance(now: number): void {
    const second = Math.floor(now / 1000);
    const steps = Math.min(SIZE, second - this.#second);
    for (let step = 1; step <= steps; step++) {
      const index = (second - steps + step) % SIZE;
      this.#sum -= this.#pieces[index] ?? 0;
      this.#pieces[index] = 0;
    }
    if (steps > 0) this.#second = second;
  }
}

/** When a piece is not counted any more (ms). */
function leaves(second: number): number {
  return (second + SIZE) * 1000;
}
