// The ledger of this process, the sweeper that ends holds of processes that are gone, and the check of the books.
import { Claims } from '../access/idempotency/claims.ts';
import { Ledger } from '../billing/ledger.ts';
import { BooksWatch } from '../billing/reconcile.ts';
import { SILENCE_SECONDS, Sweeper } from '../billing/sweeper.ts';
import type { Data } from './open-data.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { StartContext } from './start-context.ts';

export type Money = Awaited<ReturnType<typeof startMoney>>;

export async function startMoney(
  { clock, logger, errors, processId, started }: StartContext,
  { store, secretBox, metrics }: Data & Telemetry,
) {
  const sweeper = new Sweeper({
    store,
    processId,
    onError: (error) => errors.tell(error, 'the sweeper could not do its round'),
    finishEnds: () => ledger.finishEnds(),
    onSwept(count) {
      metrics.swept(count);
      logger.warn({ count }, 'holds of a process that is gone were released');
    },
  });
  const ledgerDependencies = { store, clock, owner: processId, storeNow: () => sweeper.storeNow() };
  const ledger = new Ledger(ledgerDependencies);
  started.add('the sweeper', () => sweeper.stop());
  await sweeper.start();
  const books = new BooksWatch({
    store,
    onProblems(counts) {
      metrics.bookProblems(counts);
      if (Object.values(counts).some((count) => count > 0)) logger.error({ counts }, 'the books do not agree');
    },
    onError: (error) => logger.error({ error }, 'the books could not be checked'),
  });
  started.add('the check of the books', () => books.stop());
  books.start();
  const claims = new Claims({ store, box: secretBox, owner: processId, silenceSeconds: SILENCE_SECONDS });
  return { ledger, ledgerDependencies, claims };
}
