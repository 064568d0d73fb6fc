// Names of accounts, tokens, channels and the rest that people know by a name, by their ids.
import { sql } from 'kysely';
import type { Reads } from '../store.ts';

export interface NamedIds {
  accounts?: Iterable<string | null>;
  tokens?: Iterable<string | null>;
  channels?: Iterable<string | null>;
  members?: Iterable<string | null>;
  operators?: Iterable<string | null>;
  operator_keys?: Iterable<string | null>;
  alert_sinks?: Iterable<string | null>;
  codes?: Iterable<string | null>;
}

/** The column that people know a row by. */
const NAME_COLUMNS = {
  accounts: 'name',
  tokens: 'name',
  channels: 'name',
  members: 'email',
  operators: 'name',
  operator_keys: 'name',
  alert_sinks: 'name',
  codes: 'hint',
} as const satisfies Record<keyof NamedIds, string>;

/** Id -> name, of those that exist. */
export async function namesOf(reads: Reads, ids: NamedIds): Promise<Record<string, string>> {
  const found = await Promise.all(
    (Object.keys(NAME_COLUMNS) as (keyof NamedIds)[]).map(async (table) => {
      const wanted = [...new Set(ids[table] ?? [])].filter((id) => id !== null && id !== '');
      if (wanted.length === 0) return [];
      return reads
        .selectFrom(table)
        .select(['id', sql.ref<string>(NAME_COLUMNS[table]).as('name')])
        .where('id', 'in', wanted)
        .execute();
    }),
  );
  return Object.fromEntries(found.flat().map(({ id, name }) => [id, name]));
}
