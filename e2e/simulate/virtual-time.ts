// Time of a simulation: events in the order of their time, and of their making where that is equal. Nothing waits.
interface Event {
  at: number;
  order: number;
  run(): void;
}

export class VirtualTime {
  /** Milliseconds since the beginning. */
  now = 0;
  #made = 0;
  /** A heap: each event comes before the two at twice its place. */
  readonly #events: Event[] = [];

  after(ms: number, run: () => void): void {
    const event = { at: this.now + Math.max(0, ms), order: this.#made++, run };
    const events = this.#events;
    let index = events.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = events[parent] as Event;
      if (isBefore(above, event)) break;
      events[index] = above;
      index = parent;
    }
    events[index] = event;
  }

  /** Again and again, with the first time at a chosen moment. */
  every(ms: number, first: number, run: () => void): void {
    this.after(first, () => {
      run();
      this.every(ms, ms, run);
    });
  }

  runUntil(end: number): void {
    for (let next = this.#events[0]; next !== undefined && next.at <= end; next = this.#events[0]) {
      this.#takeFirst();
      this.now = next.at;
      next.run();
    }
    this.now = end;
  }

  #takeFirst(): void {
    const events = this.#events;
    const last = events.pop();
    if (last === undefined || events.length === 0) return;
    let index = 0;
    for (;;) {
      let child = index * 2 + 1;
      const left = events[child];
      if (left === undefined) break;
      const right = events[child + 1];
      const least = right !== undefined && isBefore(right, left) ? right : left;
      if (least === right) child++;
      if (isBefore(last, least)) break;
      events[index] = least;
      index = child;
    }
    events[index] = last;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
