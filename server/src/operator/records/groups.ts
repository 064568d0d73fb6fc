// Groups as operators see them.
import type { Group, GroupPut } from '#contract/groups.ts';
import { findGroup, type GroupRow, listGroups, namedGroups, upsertGroup } from '../../store/queries/groups.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { withEtag } from '../etag.ts';
import { notFound } from '../not-found.ts';
import { readList, writeList } from './json-columns.ts';

/** Of accounts that name no other. */
const DEFAULT = 'default';

function writeGroup(row: GroupRow): Group {
  return withEtag({
    name: row.name,
    multiplier: row.multiplier,
    description: row.description,
    models: readList(row.models),
  });
}

/** By name: those that were put, those that somebody is in, and the default; one that was not put changes no price. */
export async function allGroups(reads: Reads): Promise<Group[]> {
  const put = new Map((await listGroups(reads)).map((row) => [row.name, writeGroup(row)]));
  const names = new Set([DEFAULT, ...put.keys(), ...(await namedGroups(reads))]);
  return [...names].sort().map((name) => put.get(name) ?? plainGroup(name));
}

export async function getGroup(reads: Reads, name: string): Promise<Group> {
  const row = await findGroup(reads, name);
  if (row !== undefined) return writeGroup(row);
  if (name !== DEFAULT && !(await namedGroups(reads)).has(name)) throw notFound('group', name);
  return plainGroup(name);
}

/** One that was not put. */
export function plainGroup(name: string): Group {
  return withEtag({ name, multiplier: '1', description: '', models: null });
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
