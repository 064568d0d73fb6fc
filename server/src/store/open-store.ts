// Opens the store that the address names. Apart from what a store is, which both engines know.
import type { Store } from './store.ts';

export interface StoreSettings {
  /** `postgres://...`, or undefined for the embedded database. */
  databaseUrl: string | undefined;
  /** Of a streaming replica for lists. */
  databaseReadUrl?: string | undefined;
  /** Where the embedded database's file lives. */
  dataFolder: string;
}

export async function openStore(settings: StoreSettings): Promise<Store> {
  if (settings.databaseUrl === undefined) {
    const { openSqliteStore } = await import('./sqlite/open-sqlite-store.ts');
    return openSqliteStore(settings.dataFolder);
  }
  const { openPostgresStore } = await import('./postgres/open-postgres-store.ts');
  return openPostgresStore(settings.databaseUrl, { readUrl: settings.databaseReadUrl });
}

/** For who only reads: makes no database and changes no table; rejects with `StoreMissing` where there is none. With `replica`,
 * lists come from there, where one is set. */
export async function openExistingStore(settings: StoreSettings, { replica = false } = {}): Promise<Store> {
  if (settings.databaseUrl === undefined) {
    const { requireSqliteStore, openSqliteStore } = await import('./sqlite/open-sqlite-store.ts');
    await requireSqliteStore(settings.dataFolder);
    return openSqliteStore(settings.dataFolder);
  }
  const { openPostgresStore } = await import('./postgres/open-postgres-store.ts');
  const readUrl = replica ? settings.databaseReadUrl : undefined;
  return openPostgresStore(settings.databaseUrl, { existing: true, readUrl });
}
