// How the calls of a channel's keys ended since this was last written down: counted in memory as they end, taken by what keeps
// the channel's health in the store.
export interface CallFailure {
  /** Unix ms. */
  at: number;
  errorClass: string;
  status: number | null;
  /** For operators; without keys and addresses. */
  message: string;
}

/** What was counted: calls by how long they took (see bucketOf), and those that failed. */
export interface CallCounts {
  times: ReadonlyMap<number, number>;
  failures: number;
  lastSuccess: number | undefined;
  lastFailure: CallFailure | undefined;
  /** Nano-units. */
  amount: bigint;
}

/** Buckets per doubling of the time: a percentile is exact to a fifth. */
const PER_DOUBLING = 4;

export function bucketOf(ms: number): number {
  return ms <= 1 ? 0 : Math.ceil(PER_DOUBLING * Math.log2(ms));
}

/** The longest time in a bucket, ms. */
export function longestIn(bucket: number): number {
  return Math.round(2 ** (bucket / PER_DOUBLING));
}

export class CallRecord {
  #times = new Map<number, number>();
  #failures = 0;
  #lastSuccess: number | undefined;
  #lastFailure: CallFailure | undefined;
  #amount = 0n;

  succeed(ms: number, at: number): void {
    const bucket = bucketOf(ms);
    this.#times.set(bucket, (this.#times.get(bucket) ?? 0) + 1);
    this.#lastSuccess = at;
  }

  fail(failure: CallFailure): void {
    this.#failures++;
    this.#lastFailure = failure;
  }

  /** A call that was counted as a success broke after it had begun to answer. */
  unsucceed(ms: number): void {
    const bucket = bucketOf(ms);
    this.#times.set(bucket, (this.#times.get(bucket) ?? 0) - 1); // the success may be written down already
  }

  charge(amount: bigint): void {
    this.#amount += amount;
  }

  /** What was counted since the last time; undefined when nothing was. */
  take(): CallCounts | undefined {
    if (this.#lastSuccess === undefined && this.#lastFailure === undefined && this.#amount === 0n) return undefined;
    const counts = {
      times: this.#times,
      failures: this.#failures,
      lastSuccess: this.#lastSuccess,
      lastFailure: this.#lastFailure,
      amount: this.#amount,
    };
    this.#times = new Map();
    this.#failures = 0;
    this.#lastSuccess = undefined;
    this.#lastFailure = undefined;
    this.#amount = 0n;
    return counts;
  }

  /** The store could not take them: they are counted with the next ones. */
  giveBack({ times, failures, lastSuccess, lastFailure, amount }: CallCounts): void {
    for (const [bucket, count] of times) this.#times.set(bucket, (this.#times.get(bucket) ?? 0) + count);
    this.#failures += failures;
    this.#lastSuccess ??= lastSuccess;
    this.#lastFailure ??= lastFailure;
    this.#amount += amount;
  }
}

/** Of every key of a channel; the empty id stands for calls without a key. A key that was removed is counted to its end. */
export class CallRecords {
  readonly #records = new Map<string, CallRecord>();

  of(keyId: string): CallRecord {
    let record = this.#records.get(keyId);
    if (record === undefined) this.#records.set(keyId, (record = new CallRecord()));
    return record;
  }

  take(): [keyId: string, counts: CallCounts][] {
    return [...this.#records].flatMap(([keyId, record]) => {
      const counts = record.take();
      if (counts === undefined) this.#records.delete(keyId); // a quiet one is made again when it is needed
      return counts === undefined ? [] : [[keyId, counts]];
    });
  }
}
