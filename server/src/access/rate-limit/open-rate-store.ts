// The rate windows that the settings ask for: shared through Redis, kept by the primary of several workers, or of this
// process.
import type { Clock } from '../../shared/clock.ts';
import { InProcessStore } from './in-process-store.ts';
import { PrimaryStore, type RateChannel } from './primary-rates.ts';
import type { RateStore, RemoteRateStore } from './rate-store.ts';
import { SharedStore } from './shared-store.ts';

export interface RateSettings {
  redisUrl: string | undefined;
  /** To the primary, in a worker. */
  primary: RateChannel | undefined;
  clock: Clock;
  onAway(away: boolean, error: unknown): void;
}

export interface OpenRateStore {
  store: RateStore;
  /** Windows are meant to be shared and are not. */
  isAway(): boolean;
  close(): void;
}

/** A start does not wait longer than this for the store of the windows. */
const FIRST_LOOK_MS = 3_000;

export async function openRateStore({ redisUrl, primary, clock, onAway }: RateSettings): Promise<OpenRateStore> {
  const local = new InProcessStore(clock);
  const remote = await openRemote(redisUrl, primary);
  if (remote === undefined) return { store: local, isAway: () => false, close: () => {} };
  const store = new SharedStore({ remote, local, onAway });
  await store.start(FIRST_LOOK_MS);
  if (store.isAway) onAway(true, new Error('no answer at the start'));
  return { store, isAway: () => store.isAway, close: () => store.close() };
}

async function openRemote(
  redisUrl: string | undefined,
  primary: RateChannel | undefined,
): Promise<RemoteRateStore | undefined> {
  if (redisUrl === undefined) return primary === undefined ? undefined : new PrimaryStore(primary);
  const { RedisStore } = await import('./redis-store.ts');
  return new RedisStore(redisUrl);
}
