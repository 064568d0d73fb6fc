// Who is there, where members come and go with every request. A Set that lives that long would leave tables behind that keep
// members who have left (docs/decisions/2026-11-17-young-objects-die-young.md).

/** Something that may be on one roster at a time. */
export interface Member {
  /** For the roster: where on it the member is; undefined where it is on none. */
  place: number | undefined;
}

export class Roster<T extends Member> {
  readonly #members: T[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: T): void {
    if (member.place !== undefined) return;
    member.place = this.#members.length;
    this.#members.push(member);
  }

  /** The last one moves into its place. */
  delete(member: T): void {
    const { place } = member;
    if (place === undefined) return;
    member.place = undefined;
    const last = this.#members.pop() as T;
    if (last === member) return;
    this.#members[place] = last;
    last.place = place;
  }

  /** All who are there now, whoever comes or goes meanwhile. */
  [Symbol.iterator](): IterableIterator<T> {
    return [...this.#members].values();
  }
}
