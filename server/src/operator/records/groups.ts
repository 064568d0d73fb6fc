// Groups as operators see them.
import type { Group, GroupPut } from '#contract/groups.ts';
import { findGroup, type GroupRow, upsertGroup } from '../../store/queries/groups.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { notFound } from '../not-found.ts';
import { readList, writeList } from './json-columns.ts';

export function writeGroup(row: GroupRow): Group {
  return {
    name: row.name,
    multiplier: row.multiplier,
    description: row.description,
    models: readList(row.models),
  };
}

export async function getGroup(reads: Reads, name: string): Promise<Group> {
  const row = await findGroup(reads, name);
  if (row === undefined) throw notFound('group', name);
  return writeGroup(row);
}

/** `before` is null when the group is new. */
export async function putGroup(
  transaction: Transaction,
  name: string,
  input: GroupPut,
): Promise<{ before: Group | null; after: Group }> {
  const existing = await findGroup(transaction, name);
  const row: GroupRow = {
    name,
    multiplier: input.multiplier,
    description: input.description,
    models: writeList(input.models),
  };
  await upsertGroup(transaction, row);
  return { before: existing === undefined ? null : writeGroup(existing), after: writeGroup(row) };
}
