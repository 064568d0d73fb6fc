// Models of the catalogue.
import type { Reads, Transaction } from '../store.ts';
import type { ModelsTable } from '../tables.ts';
import { deleteBy, findBy, pageOf, type Paging, putBy } from './rows.ts';

export type ModelRow = ModelsTable;

const AT_ONCE = 500;

export const findModel = findBy('models', 'id');

/** In no order. An upstream may have thousands: few at a time, since a statement has a bound. */
export async function findModels(reads: Reads, ids: readonly string[]): Promise<Pick<ModelRow, 'id' | 'price'>[]> {
  const found: Pick<ModelRow, 'id' | 'price'>[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE)
    found.push(
      ...(await reads
        .selectFrom('models')
        .select(['id', 'price'])
        .where('id', 'in', ids.slice(start, start + AT_ONCE))
        .execute()),
    );
  return found;
}

/** Ids of models for sale that no enabled channel carries. */
export async function unservedModels(reads: Reads): Promise<string[]> {
  const channels = await reads.selectFrom('channels').select('models').where('status', '=', 'enabled').execute();
  const served = new Set(channels.flatMap(({ models }) => Object.keys(JSON.parse(models) as object)));
  const forSale = reads.selectFrom('models').select('id').where('enabled', '=', 1).where('price', 'is not', null);
  const rows = await forSale.orderBy('id').execute();
  return rows.flatMap(({ id }) => (served.has(id) ? [] : [id]));
}

/** By id. */
export async function listModels(
  reads: Reads,
  { flag, ...paging }: Paging & { flag?: string | undefined },
): Promise<ModelRow[]> {
  const query = pageOf(reads, 'models', paging, { order: 'asc' });
  return (flag === undefined ? query : query.where('flag', '=', flag)).execute();
}

export const upsertModel = putBy('models', 'id');
export const deleteModel = deleteBy('models', 'id');

export async function allModels(reads: Reads): Promise<ModelRow[]> {
  return reads.selectFrom('models').selectAll().execute();
}

export async function updateModelPrice(transaction: Transaction, id: string, price: string): Promise<void> {
  await transaction.updateTable('models').set({ price }).where('id', '=', id).execute();
}
