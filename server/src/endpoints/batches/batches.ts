// POST and GET /v1/batches, GET /v1/batches/{batch_id}, POST .../cancel (contract-2 8).
import { batchObject } from '../../batches/batch-object.ts';
import { createBatch } from '../../batches/create/create-batch.ts';
import { cancelOwnBatch, getOwnBatch, listOwnBatches, type OwnBatch } from '../../batches/own-batches.ts';
import type { Endpoint, Exchange } from '../endpoint.ts';

export { batchFields } from '../../batches/create/create-batch.ts';
export { messageLineFields } from '../../batches/create/create-message-batch.ts';

export const postBatch: Endpoint = async ({ batches }, { principal, readJson, sendJson }) => {
  const row = await createBatch(batches, principal, await readJson());
  sendJson(await batchObject(batches.store.reads, row));
};

export const getBatch: Endpoint = async ({ batches }, exchange) => {
  exchange.sendJson(await batchObject(batches.store.reads, await getOwnBatch(batches, asked(exchange))));
};

export const cancelBatch: Endpoint = async ({ batches }, exchange) => {
  exchange.sendJson(await batchObject(batches.store.reads, await cancelOwnBatch(batches, asked(exchange))));
};

export const listBatches: Endpoint = async ({ batches }, exchange) => {
  const { rows, hasMore } = await listOwnBatches(batches, asked(exchange), new URLSearchParams(exchange.query));
  const data = await Promise.all(rows.map((row) => batchObject(batches.store.reads, row)));
  exchange.sendJson({
    object: 'list',
    data,
    first_id: rows[0]?.id ?? null,
    last_id: rows.at(-1)?.id ?? null,
    has_more: hasMore,
  });
};

function asked({ principal, wildcard }: Exchange): OwnBatch {
  return { accountId: principal.accountId, id: wildcard, style: 'openai' };
}
