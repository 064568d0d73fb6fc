// Groups with their multipliers.
import type { Reads } from '../store.ts';
import type { GroupsTable } from '../tables.ts';
import { findBy, putBy } from './rows.ts';

export type GroupRow = GroupsTable;

export const findGroup = findBy('groups', 'name');

export async function listGroups(reads: Reads): Promise<GroupRow[]> {
  return reads.selectFrom('groups').selectAll().execute();
}

/** The groups that accounts, tokens and channels name, whether they were put or not. */
export async function namedGroups(reads: Reads): Promise<Set<string>> {
  const accounts = await reads.selectFrom('accounts').select('group_name').distinct().execute();
  const tokens = await reads.selectFrom('tokens').select('group_name').distinct().execute();
  const channels = await reads.selectFrom('channels').select('groups').distinct().execute();
  return new Set([
    ...accounts.map(({ group_name: name }) => name),
    ...tokens.flatMap(({ group_name: name }) => name ?? []),
    ...channels.flatMap(({ groups }) => JSON.parse(groups ?? '[]') as string[]),
  ]);
}

export const upsertGroup = putBy('groups', 'name');
