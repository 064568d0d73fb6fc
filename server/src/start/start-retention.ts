// How long things are kept: the request log, sums of usage, bodies, ids of stored objects.
import { KeptResponses } from '../relay/stored/kept-responses.ts';
import { KeptBodies } from '../relay/kept-bodies.ts';
import { unixSeconds } from '../shared/clock.ts';
import { exportedUpTo } from '../store/queries/exports.ts';
import { forgetBodies } from '../store/queries/request-bodies.ts';
import { forgetKeptResponses } from '../store/queries/kept-responses.ts';
import { forgetObjects } from '../store/queries/upstream-objects.ts';
import { Retention } from '../store/retention.ts';
import type { Data } from './open-data.ts';
import type { StartContext } from './start-context.ts';

export type Kept = ReturnType<typeof startRetention>;

export function startRetention(
  { config, clock, logger, errors, started }: StartContext,
  { store, secretBox }: Pick<Data, 'store' | 'secretBox'>,
) {
  const keptBodies = new KeptBodies({
    store,
    box: secretBox,
    clock,
    onError: (error) => errors.tell(error, 'bodies of requests could not be kept'),
  });
  started.add('kept bodies', () => keptBodies.stop());
  const retain = (name: string, failed: string, step: () => Promise<boolean>): void => {
    const onError = (error: unknown): void => logger.error({ error }, `${failed}; the next round tries again`);
    const retention = new Retention({ step, onError });
    started.add(`retention of ${name}`, () => retention.stop());
    retention.start();
  };
  const sinks = config.exportSinks.map(({ name }) => name);
  retain('requests', 'the request log could not be trimmed', async () =>
    store.keepRequests(config.requestLogDays, await exportedUpTo(store.reads, 'requests', sinks)),
  );
  retain('the ledger', 'the partitions of the ledger could not be kept', async () =>
    store.keepLedger({ days: config.ledgerDays, exported: await exportedUpTo(store.reads, 'ledger', sinks) }),
  );
  retain('usage', 'the sums of usage could not be trimmed', () => store.keepUsage(config.usageDays));
  retain('bodies', 'kept bodies could not be forgotten', () =>
    forgetBodies(store, unixSeconds(clock) - config.bodyDays * 86_400),
  );
  retain('responses', 'kept responses could not be forgotten', () =>
    forgetKeptResponses(store, unixSeconds(clock) - config.keepResponsesDays * 86_400),
  );
  retain('ids', 'ids of stored objects could not be forgotten', () => forgetObjects(store, unixSeconds(clock)));
  const { keepResponsesDays: days, maxBodyBytes: maxBytes } = config;
  const kept = new KeptResponses({ store, box: secretBox, clock, days, maxBytes });
  return { keptBodies, kept };
}
