// Tells from outside how far a process is with setting up its database. In the middle it holds the lock of the migration, and
// nobody else sees a table.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { StoreSettings } from '../../../server/src/store/open-store.ts';
import { Skipped } from '../command/skipped.ts';

export type Progress = 'not-begun' | 'under-way' | 'done';

export interface MigrationWatch {
  progress(): Promise<Progress>;
  end(): Promise<void>;
}

/** The PGAPPNAME by which PostgreSQL knows the process that is watched. */
export const WATCHED_NAME = 'watched';

export async function watchMigration({ databaseUrl, dataFolder }: StoreSettings, pid: number): Promise<MigrationWatch> {
  if (databaseUrl !== undefined) return watchPostgres(databaseUrl);
  const file = join(dataFolder, 'tollgate.db');
  return {
    // The lock is asked for last: a process that holds it then has not committed what could not be seen before.
    progress: async () => (hasTables(file) ? 'done' : isWriting(file, pid) ? 'under-way' : 'not-begun'),
    end: async () => {},
  };
}

async function watchPostgres(databaseUrl: string): Promise<MigrationWatch> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const isTrue = async (condition: string): Promise<boolean> =>
    (await client.query<{ is: boolean }>(`select ${condition} as is`)).rows[0]?.is === true;
  const isLocked = `exists (select 1 from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory'
    and granted and datname = current_database() and application_name = '${WATCHED_NAME}')`;
  return {
    async progress() {
      if (await isTrue(`to_regclass('migrations') is not null`)) return 'done';
      return (await isTrue(isLocked)) ? 'under-way' : 'not-begun';
    },
    end: () => client.end(),
  };
}

function hasTables(file: string): boolean {
  if (!existsSync(`${file}-shm`)) return false;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare('select 1 from sqlite_master').get() !== undefined;
  } finally {
    database.close();
  }
}

/** The byte of the shared memory that the writer has locked (sqlite.org/walformat.html, 2.3.1). */
const WRITE_LOCK = 120;

function isWriting(file: string, pid: number): boolean {
  if (process.platform !== 'linux') throw new Skipped('reads /proc');
  const { ino } = statSync(`${file}-shm`, { throwIfNoEntry: false }) ?? {};
  const lock = new RegExp(` WRITE ${pid} [0-9a-f]+:[0-9a-f]+:${ino} ${WRITE_LOCK} `);
  return lock.test(readFileSync('/proc/locks', 'utf8'));
}
