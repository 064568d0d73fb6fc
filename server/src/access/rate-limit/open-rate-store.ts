// The rate windows that the settings ask for: of this process, or shared through Redis.
import type { Clock } from '../../shared/clock.ts';
import { InProcessStore } from './in-process-store.ts';
import type { RateStore } from './rate-store.ts';

export interface OpenRateStore {
  store: RateStore;
  /** Windows are meant to be shared and are not. */
  isAway(): boolean;
  close(): void;
}

/** A start does not wait longer for Redis than this. */
const FIRST_LOOK_MS = 1_000;

export async function openRateStore(
  redisUrl: string | undefined,
  { clock, onAway }: { clock: Clock; onAway(away: boolean, error: unknown): void },
): Promise<OpenRateStore> {
  const local = new InProcessStore(clock);
  if (redisUrl === undefined) return { store: local, isAway: () => false, close: () => {} };
  const { RedisStore } = await import('./redis-store.ts');
  const { SharedStore } = await import('./shared-store.ts');
  const store = new SharedStore({ redis: new RedisStore(redisUrl), local, onAway });
  await store.start(FIRST_LOOK_MS);
  if (store.isAway) onAway(true, new Error('no answer at the start'));
  return { store, isAway: () => store.isAway, close: () => store.close() };
}
