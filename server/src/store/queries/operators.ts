// Operators of the gateway.
import type { Reads } from '../store.ts';
import type { OperatorsTable } from '../tables.ts';
import { type Change, changeIn, findBy, insertInto, pageOf, type Paging } from './rows.ts';

export type OperatorRow = OperatorsTable;
export type OperatorChanges = Partial<Omit<OperatorRow, 'id' | 'created_at'>>;

export const findOperator = findBy('operators', 'id');
export const findOperatorByName = findBy('operators', 'name');

/** Newest first. */
export async function listOperators(reads: Reads, paging: Paging): Promise<OperatorRow[]> {
  return pageOf(reads, 'operators', paging).execute();
}

export async function countActiveAdmins(reads: Reads): Promise<number> {
  const { count } = await reads
    .selectFrom('operators')
    .select((columns) => columns.fn.countAll().as('count'))
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const insertOperator = insertInto('operators');
export const updateOperator: Change<OperatorChanges> = changeIn('operators');
