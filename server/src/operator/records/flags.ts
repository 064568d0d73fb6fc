// Feature flags as operators see them.
import type { Flag, FlagPut } from '#contract/flags.ts';
import { findFlag, type FlagRow, upsertFlag } from '../../store/queries/flags.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { withEtag } from '../etag.ts';
import { required } from '../not-found.ts';
import { readList, writeList } from './json-columns.ts';

export function writeFlag(row: FlagRow): Flag {
  return withEtag({
    name: row.name,
    enabled: row.enabled === 1,
    accounts: readList(row.accounts),
    groups: readList(row.groups),
  });
}

export async function getFlag(reads: Reads, name: string): Promise<Flag> {
  return writeFlag(required(await findFlag(reads, name), 'flag', name));
}

/** `before` is null when the flag is new. */
export async function putFlag(
  transaction: Transaction,
  name: string,
  input: FlagPut,
): Promise<{ before: Flag | null; after: Flag }> {
  const existing = await findFlag(transaction, name);
  const row: FlagRow = {
    name,
    enabled: input.enabled ? 1 : 0,
    accounts: writeList(input.accounts),
    groups: writeList(input.groups),
  };
  await upsertFlag(transaction, row);
  return { before: existing === undefined ? null : writeFlag(existing), after: writeFlag(row) };
}
