// Rate limits: of this process, kept by the primary of several workers, or shared through Redis.
import cluster from 'node:cluster';
import { InProcessStore } from '../access/rate-limit/in-process-store.ts';
import { PrimaryStore } from '../access/rate-limit/primary-rates.ts';
import { RateLimiter } from '../access/rate-limit/rate-limiter.ts';
import type { RemoteRateStore } from '../access/rate-limit/rate-store.ts';
import { SharedStore } from '../access/rate-limit/shared-store.ts';
import type { Config } from './config.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { StartContext } from './start-context.ts';

export type RateLimits = Awaited<ReturnType<typeof openRateLimits>>;

/** A start does not wait longer than this for the store of the windows. */
const FIRST_LOOK_MS = 3_000;

export async function openRateLimits(context: StartContext, { metrics }: Pick<Telemetry, 'metrics'>) {
  const { config, logger, clock, steady, started } = context;
  const rateKeeper = config.redisUrl === undefined ? 'the primary process' : 'Redis (REDIS_URL)';
  const onAway = (away: boolean, error: unknown): void => {
    metrics.rateStoreAway(away);
    if (away) logger.error({ error }, `${rateKeeper} does not answer: rate limits are per process`);
    else logger.info('rate limits are shared');
  };
  const local = new InProcessStore(steady);
  const remote = await openRemote(config);
  const shared = remote && new SharedStore({ remote, local, onAway });
  await shared?.start(FIRST_LOOK_MS);
  if (shared?.isAway === true) onAway(true, new Error('no answer at the start'));
  started.add('rate limits', () => shared?.close());
  const limiter = new RateLimiter({
    store: shared ?? local,
    clock,
    onLimited: (limit) => metrics.limited(limit),
  });
  /** Windows are meant to be shared and are not. */
  const rates = { isAway: () => shared?.isAway ?? false };
  return { rates, limiter };
}

/** undefined in a process alone. */
async function openRemote({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<RemoteRateStore | undefined> {
  if (redisUrl !== undefined) {
    const { RedisStore } = await import('../access/rate-limit/redis-store.ts');
    return new RedisStore(redisUrl);
  }
  if (!cluster.isWorker) return undefined;
  return new PrimaryStore({
    send: (message) => void (process.connected && process.send?.(message)),
    onMessage: (listener) => void process.on('message', listener),
  });
}
