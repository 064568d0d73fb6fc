// Runs a suite on every store: SQLite in a temporary folder, and a fresh PostgreSQL database when TEST_DATABASE_URL says
// where one can be made (`npm test` brings the server). Only tests import this folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import pg from 'pg';
import { randomLetters } from '../shared/ids.ts';
import { openStore, type Store, type StoreSettings } from '../store/store.ts';

export type OpenStore = () => Promise<Store>;

export function onEveryStore(suite: (open: OpenStore, dialect: Store['dialect']) => void): void {
  onEveryStoreSettings((makeSettings, dialect, atEnd) => {
    suite(async () => {
      const store = await openStore(await makeSettings());
      atEnd(() => store.close());
      return store;
    }, dialect);
  });
}

/** The same for tests that open the store themselves, for example in other processes. */
export function onEveryStoreSettings(
  suite: (
    makeSettings: () => Promise<StoreSettings>,
    dialect: Store['dialect'],
    atEnd: (work: () => unknown) => void,
  ) => void,
): void {
  describe('on SQLite', () => {
    const atEnd = endings();
    suite(
      async () => {
        const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
        atEnd(() => rmSync(dataFolder, { recursive: true, force: true }));
        return { databaseUrl: undefined, dataFolder };
      },
      'sqlite',
      atEnd,
    );
  });

  const server = process.env['TEST_DATABASE_URL'];
  describe(
    'on PostgreSQL',
    { skip: server === undefined ? 'TEST_DATABASE_URL is not set; npm test sets it' : false },
    () => {
      suite(
        async () => ({ databaseUrl: await makeDatabase(server ?? ''), dataFolder: tmpdir() }),
        'postgres',
        endings(),
      );
    },
  );
}

/** Work for the end of the suite, done last registered first. */
function endings(): (work: () => unknown) => void {
  const works: (() => unknown)[] = [];
  after(async () => {
    for (const work of works.reverse()) await work();
  });
  return (work) => works.push(work);
}

export async function makeDatabase(server: string): Promise<string> {
  const name = `test_${randomLetters(12).toLowerCase()}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}
