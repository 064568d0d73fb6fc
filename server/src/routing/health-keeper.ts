// Writes down how the calls of channels ended: every few seconds, all channels in one commit, beside the requests. What a
// crash costs is the last few seconds; what the store could not take is written with the next round.
import type { Clock } from '../shared/clock.ts';
import {
  type ChannelCallsRow,
  FAILED_CALLS,
  forgetCalls,
  HOUR_SECONDS,
  keepMemory,
  type MemoryChanges,
} from '../store/queries/channel-memory.ts';
import type { Store } from '../store/store.ts';
import type { CallCounts } from './call-record.ts';
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
    const taken: [Channel, CallCounts][] = channels().flatMap((channel) => {
      const counts = channel.record.take();
      return counts === undefined ? [] : [[channel, counts]];
    });
    const now = Math.floor(clock.now() / 1000);
    const hour = now - (now % HOUR_SECONDS);
    try {
      if (taken.length > 0) await keepMemory(store, this.#changes(taken, hour));
      if (hour !== this.#forgotAt) await forgetCalls(store, now);
      this.#forgotAt = hour;
    } catch (error) {
      for (const [channel, counts] of taken) channel.record.giveBack(counts);
      onError(error);
    }
  }

  #changes(taken: [Channel, CallCounts][], hour: number): MemoryChanges {
    const { clock, steadyClock } = this.#settings;
    const ahead = clock.now() - steadyClock.now();
    const seconds = (at: number): number => Math.floor((at + ahead) / 1000);
    return {
      calls: taken.flatMap(([{ facts }, counts]) => callRows(facts.id, hour, counts)),
      successes: taken.flatMap(([{ facts }, { lastSuccess }]) =>
        lastSuccess === undefined ? [] : [{ channel_id: facts.id, success_at: seconds(lastSuccess) }],
      ),
      errors: taken.flatMap(([{ facts }, { lastFailure }]) => {
        if (lastFailure === undefined) return [];
        const { at, errorClass, status, message } = lastFailure;
        const error = { error_at: seconds(at), error_class: errorClass, error_status: status, error_message: message };
        return [{ channel_id: facts.id, ...error }];
      }),
    };
  }
}

function callRows(channel_id: string, hour: number, { times, failures }: CallCounts): ChannelCallsRow[] {
  const rows = [...times].map(([bucket, calls]) => ({ channel_id, hour, bucket, calls }));
  return [...rows, { channel_id, hour, bucket: FAILED_CALLS, calls: failures }].filter(({ calls }) => calls !== 0);
}
