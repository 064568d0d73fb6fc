// Models as operators see them.
import type { Model, ModelPut } from '#contract/models.ts';
import type { Price } from '#contract/prices.ts';
import { findModel, type ModelRow, upsertModel } from '../../store/queries/models.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { withEtag } from '../etag.ts';
import { required } from '../not-found.ts';
import { readList, writeList } from './json-columns.ts';

export function writeModel(row: ModelRow): Model {
  return withEtag({
    id: row.id,
    owned_by: row.owned_by,
    endpoint_types: readList(row.endpoint_types) as Model['endpoint_types'],
    price: row.price === null ? null : (JSON.parse(row.price) as Price),
    enabled: row.enabled === 1,
    flag: row.flag,
    max_output_tokens: row.max_output_tokens,
    pass_unpriced: row.pass_unpriced === null ? null : row.pass_unpriced === 1,
    retires_at: row.retires_at,
    sandbox: row.sandbox === 1,
    created: row.created,
  });
}

export async function getModel(reads: Reads, id: string): Promise<Model> {
  return writeModel(required(await findModel(reads, id), 'model', id));
}

export interface ModelInput extends ModelPut {
  id: string;
  /** Marks a model of the built-in sandbox; an existing model keeps its mark. */
  sandbox?: boolean;
}

/** `before` is null when the model is new. */
export async function putModel(
  transaction: Transaction,
  input: ModelInput,
  at: number,
): Promise<{ before: Model | null; after: Model }> {
  const existing = await findModel(transaction, input.id);
  const row: ModelRow = {
    id: input.id,
    owned_by: input.owned_by,
    endpoint_types: writeList([...new Set(input.endpoint_types)]),
    price: input.price === null ? null : JSON.stringify(input.price),
    enabled: input.enabled ? 1 : 0,
    flag: input.flag,
    max_output_tokens: input.max_output_tokens,
    pass_unpriced: input.pass_unpriced === null ? null : Number(input.pass_unpriced),
    retires_at: input.retires_at,
    sandbox: existing?.sandbox ?? (input.sandbox === true ? 1 : 0),
    created: input.created ?? existing?.created ?? at,
  };
  await upsertModel(transaction, row);
  return { before: existing === undefined ? null : writeModel(existing), after: writeModel(row) };
}
