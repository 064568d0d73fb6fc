// Prices as they were: one line for each change, never altered.
import type { Selectable } from 'kysely';
import type { Reads } from '../store.ts';
import type { PriceVersionsTable } from '../tables.ts';
import { insertInto, pageOf, type Paging } from './rows.ts';

export type PriceVersionRow = Selectable<PriceVersionsTable>;

export const insertPriceVersion = insertInto('price_versions');

/** Newest first. */
export async function listPriceVersions(
  reads: Reads,
  { model, ...paging }: Paging<bigint> & { model: string | undefined },
): Promise<PriceVersionRow[]> {
  const query = pageOf(reads, 'price_versions', paging);
  return (model === undefined ? query : query.where('model_id', '=', model)).execute();
}
