// Feature flags.
import type { Reads } from '../store.ts';
import type { FlagsTable } from '../tables.ts';
import { deleteBy, findBy, pageOf, type Paging, putBy } from './rows.ts';

export type FlagRow = FlagsTable;

export const findFlag = findBy('flags', 'name');
export const upsertFlag = putBy('flags', 'name');
export const deleteFlag = deleteBy('flags', 'name');

/** By name. */
export async function listFlags(reads: Reads, paging: Paging): Promise<FlagRow[]> {
  return pageOf(reads, 'flags', paging, { key: 'name', order: 'asc' }).execute();
}
