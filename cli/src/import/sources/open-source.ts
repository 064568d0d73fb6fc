// Finds out what a source is: a database address, a SQLite file or a MySQL dump.
import { open } from 'node:fs/promises';
import { Refused } from '../../refused.ts';
import { openMysqlDump } from './mysql-dump.ts';
import { openPostgres } from './postgres-source.ts';
import type { Source } from './source.ts';
import { openSqlite } from './sqlite-source.ts';

export interface WantedTables {
  /** Tables whose rows are read. */
  kept: readonly string[];
  /** Columns that are summed in tables that can be large. */
  summed: readonly string[];
}

const SQLITE = 'SQLite format 3\0';
const DUMP = /^\s*(?:--|\/\*|#|create\s+table|insert\s+into|drop\s+table|set\s)/i;

export async function openSource(location: string, wanted: WantedTables): Promise<Source> {
  if (/^postgres(?:ql)?:\/\//i.test(location)) return openPostgres(location);
  if (/^(?:mysql|mariadb):\/\//i.test(location))
    throw new Refused(
      'a MySQL server is not read directly. Make a dump, and import that file: mysqldump --single-transaction --no-tablespaces -h HOST -u USER -p DATABASE > dump.sql',
    );
  if (/^\w+:\/\//.test(location))
    throw new Refused(`${location.split('://')[0]}:// is no address that can be read: give a file, or postgres://...`);
  const head = await readHead(location);
  if (head.startsWith(SQLITE)) return openSqlite(location);
  if (DUMP.test(head)) return openMysqlDump(location, wanted);
  throw new Refused(`${location} is neither a SQLite database nor a MySQL dump.`);
}

async function readHead(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
      return buffer.subarray(0, bytesRead).toString('latin1');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Refused(`${path}: ${(error as Error).message}`);
  }
}
