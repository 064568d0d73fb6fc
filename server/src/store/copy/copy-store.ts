// Opens a snapshot of a store, and fills a store from one, whichever engine is underneath.
import type { StoreSettings } from '../open-store.ts';
import type { LoadOptions, LoadSource } from './load.ts';
import type { Snapshot } from './snapshot.ts';

export async function openSnapshot({ databaseUrl, dataFolder }: StoreSettings): Promise<Snapshot> {
  if (databaseUrl === undefined) {
    const { openSqliteSnapshot } = await import('../sqlite/snapshot.ts');
    return openSqliteSnapshot(dataFolder);
  }
  const { openPostgresSnapshot } = await import('../postgres/snapshot.ts');
  return openPostgresSnapshot(databaseUrl);
}

export async function loadStore(settings: StoreSettings, source: LoadSource, options: LoadOptions): Promise<void> {
  const { databaseUrl, dataFolder } = settings;
  if (databaseUrl === undefined) {
    const { loadSqlite } = await import('../sqlite/load.ts');
    return loadSqlite(dataFolder, source, options);
  }
  const { loadPostgres } = await import('../postgres/load.ts');
  return loadPostgres(databaseUrl, source, options);
}
