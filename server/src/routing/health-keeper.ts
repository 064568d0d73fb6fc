// Writes down how the calls of channels ended: every few seconds, all channels in one commit, beside the requests. What a
// crash costs is the last few seconds; what the store could not take is written with the next round.
import type { Clock } from '../shared/clock.ts';
import {
  type ChannelCallsRow,
  FAILED_CALLS,
  forgetCalls,
  keepMemory,
  type MemoryChanges,
} from '../store/queries/channel-memory.ts';
import type { KeyCallsRow } from '../store/queries/channel-key-calls.ts';
import { hourOf } from '../store/queries/day-of-hours.ts';
import type { Store } from '../store/store.ts';
import type { CallCounts, CallRecords } from './call-record.ts';
import type { Channel } from './channel.ts';

export interface HealthKeeperSettings {
  store: Store;
  /** Dates are those of the wall's clock; channels count by the steady one. */
  clock: Clock;
  steadyClock: Clock;
  channels(): readonly Channel[];
  onError(error: unknown): void;
  intervalMs?: number;
}

const INTERVAL_MS = 5_000;

export class HealthKeeper {
  readonly #settings: HealthKeeperSettings;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #forgotAt = 0;

  constructor(settings: HealthKeeperSettings) {
    this.#settings = settings;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), this.#settings.intervalMs ?? INTERVAL_MS).unref();
  }

  /** Writes down what ended up to now. */
  async flush(): Promise<void> {
    await this.#round;
    this.#round ??= this.#write().finally(() => {
      this.#round = undefined;
    });
    await this.#round;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const { store, clock, channels, onError } = this.#settings;
    const taken = channels().flatMap(({ facts, record }): TakenCounts[] =>
      record.take().map(([keyId, counts]) => ({ channelId: facts.id, keyId, record, counts })),
    );
    const now = Math.floor(clock.now() / 1000);
    const hour = hourOf(now);
    try {
      if (taken.length > 0) await keepMemory(store, this.#changes(taken, hour));
      if (hour !== this.#forgotAt) await forgetCalls(store, now);
      this.#forgotAt = hour;
    } catch (error) {
      for (const { record, keyId, counts } of taken) record.of(keyId).giveBack(counts);
      onError(error);
    }
  }

  #changes(taken: TakenCounts[], hour: number): MemoryChanges {
    const { clock, steadyClock } = this.#settings;
    const ahead = clock.now() - steadyClock.now();
    const seconds = (at: number): number => Math.floor((at + ahead) / 1000);
    const keyCalls = taken.flatMap((one) => callRows(one, hour));
    const successes = taken.flatMap(({ channelId, counts: { lastSuccess } }) =>
      lastSuccess === undefined ? [] : [{ channel_id: channelId, success_at: seconds(lastSuccess) }],
    );
    const failures = taken.flatMap(({ channelId, keyId, counts: { lastFailure } }) => {
      if (lastFailure === undefined) return [];
      const { at, errorClass, status, message } = lastFailure;
      const error = { error_at: seconds(at), error_class: errorClass, error_status: status, error_message: message };
      return [{ keyId, error: { channel_id: channelId, ...error } }];
    });
    const errors = failures.map(({ error }) => error);
    const keyErrors = failures.map(({ keyId, error }) => ({ ...error, key_id: keyId }));
    return {
      keyCalls,
      keyErrors,
      calls: ofChannels(keyCalls),
      successes: newestOf(successes, ({ success_at }) => success_at),
      errors: newestOf(errors, ({ error_at }) => error_at),
    };
  }
}

interface TakenCounts {
  channelId: string;
  keyId: string;
  record: CallRecords;
  counts: CallCounts;
}

function callRows({ channelId, keyId, counts: { times, failures, amount } }: TakenCounts, hour: number): KeyCallsRow[] {
  const of = { channel_id: channelId, key_id: keyId, hour };
  const rows = [...times].map(([bucket, calls]) => ({ ...of, bucket, calls, amount: 0n }));
  return [...rows, { ...of, bucket: FAILED_CALLS, calls: failures, amount }].filter(
    (row) => row.calls !== 0 || row.amount !== 0n,
  );
}

/** All keys of a channel together: a statement may name a row once. */
function ofChannels(rows: KeyCallsRow[]): ChannelCallsRow[] {
  const sums = new Map<string, ChannelCallsRow>();
  for (const { channel_id, hour, bucket, calls } of rows) {
    const name = `${channel_id} ${bucket}`;
    sums.set(name, { channel_id, hour, bucket, calls: calls + (sums.get(name)?.calls ?? 0) });
  }
  return [...sums.values()].filter(({ calls }) => calls !== 0);
}

function newestOf<T extends { channel_id: string }>(rows: T[], at: (row: T) => number | null): T[] {
  const newest = new Map<string, T>();
  for (const row of rows) {
    const known = newest.get(row.channel_id);
    if (known === undefined || (at(row) ?? 0) > (at(known) ?? 0)) newest.set(row.channel_id, row);
  }
  return [...newest.values()];
}
