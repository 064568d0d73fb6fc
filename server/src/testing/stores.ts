// Runs a suite on every store: SQLite in a temporary folder, and a fresh PostgreSQL database when TEST_DATABASE_URL says
// where one can be made (`npm test` brings the server). Only tests import this folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { openStore, type StoreSettings } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { dropDatabases, fillDataFolder, makeDatabase, makeMigratedDatabase } from './templates.ts';

export { makeDatabase };

export type OpenStore = () => Promise<Store>;

type SettingsSuite = (
  makeSettings: () => Promise<StoreSettings>,
  dialect: Store['dialect'],
  atEnd: (work: () => unknown) => void,
) => void;

export function onEveryStore(suite: (open: OpenStore, dialect: Store['dialect']) => void): void {
  onBoth({ migrated: true }, (makeSettings, dialect, atEnd) => {
    suite(async () => {
      const store = await openStore(await makeSettings());
      atEnd(() => store.close());
      return store;
    }, dialect);
  });
}

/** The same for tests that open the store themselves, for example in other processes: it is empty, as before a first start. */
export function onEveryStoreSettings(suite: SettingsSuite): void {
  onBoth({ migrated: false }, suite);
}

function onBoth({ migrated }: { migrated: boolean }, suite: SettingsSuite): void {
  describe('on SQLite', () => {
    const atEnd = endings();
    const makeSettings = async (): Promise<StoreSettings> => {
      const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
      atEnd(() => rmSync(dataFolder, { recursive: true, force: true }));
      if (migrated) await fillDataFolder(dataFolder);
      return { databaseUrl: undefined, dataFolder };
    };
    suite(makeSettings, 'sqlite', atEnd);
  });

  const server = process.env['TEST_DATABASE_URL'];
  const skip = server === undefined ? 'TEST_DATABASE_URL is not set; npm test sets it' : false;
  describe('on PostgreSQL', { skip }, () => {
    const make = migrated ? makeMigratedDatabase : makeDatabase;
    const atEnd = endings();
    const made: string[] = [];
    // Before any `after` that a suite registers itself: what uses the database is to be stopped by `atEnd`.
    atEnd(() => dropDatabases(server ?? '', made));
    const makeSettings = async (): Promise<StoreSettings> => {
      const databaseUrl = await make(server ?? '');
      made.push(databaseUrl);
      return { databaseUrl, dataFolder: tmpdir() };
    };
    suite(makeSettings, 'postgres', atEnd);
  });
}

/** Work for the end of the suite, done last registered first. */
function endings(): (work: () => unknown) => void {
  const works: (() => unknown)[] = [];
  after(async () => {
    for (const work of works.reverse()) await work();
  });
  return (work) => works.push(work);
}
