// How far a replica is behind, in seconds: the age of the oldest position in the primary's log that it has not replayed. Its own
// time of the last change says nothing of a database that rests.

/** At a look every two seconds, half an hour; of a longer lag every second one is kept. */
const MOST_POSITIONS = 1_000;

export class ReplicaLag {
  /** That the primary had reached and the replica had not, oldest first. */
  #awaited: { position: bigint; at: number }[] = [];
  #replayed = 0n;

  written(position: bigint, at: number): void {
    const last = this.#awaited.at(-1);
    if (position <= this.#replayed || (last !== undefined && position <= last.position)) return;
    this.#awaited.push({ position, at });
    if (this.#awaited.length > MOST_POSITIONS) this.#awaited = this.#awaited.filter((_, index) => index % 2 === 0);
  }

  replayed(position: bigint): void {
    this.#replayed = position;
    const next = this.#awaited.findIndex((awaited) => awaited.position > position);
    this.#awaited = next === -1 ? [] : this.#awaited.slice(next);
  }

  seconds(now: number): number {
    const [oldest] = this.#awaited;
    return oldest === undefined ? 0 : (now - oldest.at) / 1000;
  }
}
