// Groups with their multipliers.
import type { Reads, Transaction } from '../store.ts';
import type { GroupsTable } from '../tables.ts';

export type GroupRow = GroupsTable;

export async function findGroup(reads: Reads, name: string): Promise<GroupRow | undefined> {
  return reads.selectFrom('groups').selectAll().where('name', '=', name).executeTakeFirst();
}

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

export async function upsertGroup(transaction: Transaction, row: GroupRow): Promise<void> {
  const { name: _, ...changes } = row;
  await transaction
    .insertInto('groups')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(changes))
    .execute();
}
