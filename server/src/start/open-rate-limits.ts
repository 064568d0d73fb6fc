// Rate limits: of this process, of all workers, or shared through Redis.
import { openRateStore } from '../access/rate-limit/open-rate-store.ts';
import { RateLimiter } from '../access/rate-limit/rate-limiter.ts';
import { primaryChannel } from '../workers/rate-channel.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { StartContext } from './start-context.ts';

export type RateLimits = Awaited<ReturnType<typeof openRateLimits>>;

export async function openRateLimits(context: StartContext, { metrics }: Pick<Telemetry, 'metrics'>) {
  const { config, logger, clock, steady, started } = context;
  const rateKeeper = config.redisUrl === undefined ? 'the primary process' : 'Redis (REDIS_URL)';
  const rates = await openRateStore({
    redisUrl: config.redisUrl,
    primary: primaryChannel(),
    clock: steady,
    onAway(away, error) {
      metrics.rateStoreAway(away);
      if (away) logger.error({ error }, `${rateKeeper} does not answer: rate limits are per process`);
      else logger.info('rate limits are shared');
    },
  });
  started.add('rate limits', () => rates.close());
  const limiter = new RateLimiter({ store: rates.store, clock, onLimited: (limit) => metrics.limited(limit) });
  return { rates, limiter };
}
