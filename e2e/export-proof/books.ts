// The same figures from the store, from the files and from ClickHouse: counts and sums in nano-units.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { parseDecimal } from '../../server/src/shared/decimal.ts';
import type { Store } from '../../server/src/store/store.ts';
import { readExported, sumOf } from '../support/exported-files.ts';
import type { ClickHouse } from './clickhouse.ts';

export interface Books {
  entries: number;
  amounts: bigint;
  settled: bigint;
  requests: number;
  charges: bigint;
}

export async function booksOfStore(store: Store): Promise<Books> {
  const { rows } = await sql<Record<keyof Books, string | number | bigint | null>>`select
    (select count(*) from ledger) as entries,
    (select cast(sum(amount) as text) from ledger) as amounts,
    (select cast(sum(amount) as text) from ledger where kind = 'settle') as settled,
    (select count(*) from requests) as requests,
    (select cast(sum(charge) as text) from requests) as charges`.execute(store.reads);
  const row = rows[0];
  return {
    entries: Number(row?.entries),
    amounts: BigInt(String(row?.amounts ?? 0)),
    settled: BigInt(String(row?.settled ?? 0)),
    requests: Number(row?.requests),
    charges: BigInt(String(row?.charges ?? 0)),
  };
}

export function booksOfFiles(folder: string): Books {
  const paths = globSync('**/*.ndjson.gz', { cwd: folder });
  const exported = readExported(paths.map((path) => [path, readFileSync(join(folder, path))]));
  const entries = [...exported.entries.values()];
  return {
    entries: exported.lines,
    amounts: sumOf(entries.map(({ amount }) => amount)),
    settled: sumOf(entries.filter(({ kind }) => kind === 'settle').map(({ amount }) => amount)),
    requests: exported.requests.size,
    charges: sumOf([...exported.requests.values()].map(({ charge }) => charge)),
  };
}

export async function booksOfClickHouse(server: ClickHouse, { final }: { final: boolean }): Promise<Books> {
  const word = final ? ' FINAL' : '';
  const one = (expression: string, table: string, more = ''): Promise<string> =>
    server.ask(`SELECT ${expression} FROM ${table}${table === 'tollgate_requests' ? ' FINAL' : word} ${more}`);
  const amount = async (...asked: Parameters<typeof one>): Promise<bigint> => parseDecimal(await one(...asked)) ?? 0n;
  return {
    entries: Number(await one('count()', 'tollgate_ledger')),
    amounts: await amount('sum(amount)', 'tollgate_ledger'),
    settled: await amount('sum(amount)', 'tollgate_ledger', `WHERE kind = 'settle'`),
    requests: Number(await one('count()', 'tollgate_requests')),
    charges: await amount('sum(charge)', 'tollgate_requests'),
  };
}

export function differences(wanted: Books, found: Books): string[] {
  const keys = Object.keys(wanted) as (keyof Books)[];
  return keys.flatMap((key) =>
    String(wanted[key]) === String(found[key])
      ? []
      : [`${key}: ${String(found[key])} instead of ${String(wanted[key])}`],
  );
}
