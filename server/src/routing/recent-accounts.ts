// Something about each of the accounts that were seen last. Bounded: the account that was set longest ago is forgotten.
const MOST_ACCOUNTS = 500;

export class RecentAccounts<T> {
  readonly #values = new Map<string, T>();
  readonly #most: number;

  constructor(most: number = MOST_ACCOUNTS) {
    this.#most = most;
  }

  get size(): number {
    return this.#values.size;
  }

  get(account: string): T | undefined {
    return this.#values.size === 0 ? undefined : this.#values.get(account);
  }

  set(account: string, value: T): void {
    this.#values.delete(account);
    this.#values.set(account, value);
    if (this.#values.size <= this.#most) return;
    const [oldest] = this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
  }

  delete(account: string): void {
    this.#values.delete(account);
  }

  clear(): void {
    this.#values.clear();
  }

  entries(): IterableIterator<[string, T]> {
    return this.#values.entries();
  }

  /** Does it hold for an account other than this one? */
  someOther(account: string, holds: (value: T) => boolean): boolean {
    for (const [other, value] of this.#values) if (other !== account && holds(value)) return true;
    return false;
  }
}
