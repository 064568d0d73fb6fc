// For who changes the store as a whole: no gateway may work with it meanwhile.
import { StoreMissing, StoreOlder } from '../store/migrations/migrate.ts';
import { livingProcesses } from '../store/queries/processes.ts';
import { openExistingStore, type StoreSettings } from '../store/open-store.ts';

/** A gateway that has written nothing for so long is dead. */
const SILENT_SECONDS = 15;

export class GatewayRuns extends Error {
  override name = 'GatewayRuns';
}

export async function requireStopped(settings: StoreSettings): Promise<void> {
  const store = await openExistingStore(settings).catch((error: unknown) => {
    if (error instanceof StoreOlder)
      throw new GatewayRuns(`${error.message}; until then nobody can see whether a gateway works with this data`);
    if (error instanceof StoreMissing) return undefined; // nothing there: nobody works with it
    throw error;
  });
  if (store === undefined) return;
  try {
    const living = await livingProcesses(store.reads, { now: await store.now(), silence: SILENT_SECONDS });
    if (living.length > 0)
      throw new GatewayRuns(
        `a gateway works with this data (heard of within ${SILENT_SECONDS} s): stop all nodes first`,
      );
  } finally {
    await store.close();
  }
}
