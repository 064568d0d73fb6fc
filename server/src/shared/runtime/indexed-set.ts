// Gain: no full garbage collection under steady load, where a Set causes 11 or 12 (the test counts them). Removable alone:
// a Set does the same. A Set that lives long leaves old tables behind, which keep members that have left
// (docs/decisions/2026-11-17-young-objects-die-young.md).

/** Something that may be in one indexed set at a time. */
export interface Member {
  /** For the set: the member's index in it; undefined where it is in none. */
  index: number | undefined;
}

export class IndexedSet<T extends Member> {
  readonly #members: T[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: T): void {
    if (member.index !== undefined) return;
    member.index = this.#members.length;
    this.#members.push(member);
  }

  /** The last member takes the free index. */
  delete(member: T): void {
    const { index } = member;
    if (index === undefined) return;
    member.index = undefined;
    const last = this.#members.pop() as T;
    if (last === member) return;
    this.#members[index] = last;
    last.index = index;
  }

  /** All members at this moment. Members may be added and deleted meanwhile. */
  [Symbol.iterator](): IterableIterator<T> {
    return [...this.#members].values();
  }
}
