// /v1/messages/batches: create, list, get, cancel, delete and results, in Anthropic's shape (contract-2 8).
import { createMessageBatch } from '../../batches/create/create-message-batch.ts';
import { messageBatchObject } from '../../batches/batch-object.ts';
import {
  cancelOwnBatch,
  deleteOwnBatch,
  getOwnBatch,
  listOwnBatches,
  type OwnBatch,
} from '../../batches/own-batches.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Endpoint, EndpointDependencies, Exchange } from '../endpoint.ts';
import { sendContent } from '../send-content.ts';

export const postMessageBatch: Endpoint = async (dependencies, exchange) => {
  const betas = exchange.header('anthropic-beta');
  const headers = {
    ...(exchange.version !== undefined && { 'anthropic-version': exchange.version }),
    ...(betas !== undefined && { 'anthropic-beta': betas }),
  };
  const body = await exchange.readJson();
  await send(
    dependencies,
    exchange,
    await createMessageBatch(dependencies.batches, exchange.principal, { body, headers }),
  );
};

export const getMessageBatch: Endpoint = async (dependencies, exchange) =>
  send(dependencies, exchange, await getOwnBatch(dependencies.batches, asked(exchange)));

export const cancelMessageBatch: Endpoint = async (dependencies, exchange) =>
  send(dependencies, exchange, await cancelOwnBatch(dependencies.batches, asked(exchange)));

export const deleteMessageBatch: Endpoint = async ({ batches }, exchange) => {
  await deleteOwnBatch(batches, asked(exchange));
  exchange.sendJson({ id: exchange.wildcard, type: 'message_batch_deleted' });
};

export const listMessageBatches: Endpoint = async ({ batches, publicUrl }, exchange) => {
  const { rows, hasMore } = await listOwnBatches(batches, asked(exchange), new URLSearchParams(exchange.query));
  const url = urlOf(publicUrl, exchange);
  const data = await Promise.all(rows.map((row) => messageBatchObject(batches.store.reads, row, url)));
  exchange.sendJson({ data, has_more: hasMore, first_id: rows[0]?.id ?? null, last_id: rows.at(-1)?.id ?? null });
};

export const messageBatchResults: Endpoint = async ({ batches }, exchange) => {
  const row = await getOwnBatch(batches, asked(exchange));
  if (row.ended_at === null)
    throw new GatewayError('conflict', { message: 'The batch has no results yet: it has not ended.' });
  const body = row.archived_at === null ? await batches.files.blobs.open(row.id) : undefined;
  if (body === undefined) throw new GatewayError('not_found', { message: 'The results are not kept any more.' });
  await sendContent(exchange, { status: 200, headers: { 'content-type': 'application/x-jsonl' }, body });
};

async function send(
  { batches, publicUrl }: EndpointDependencies,
  exchange: Exchange,
  row: Awaited<ReturnType<typeof getOwnBatch>>,
): Promise<void> {
  exchange.sendJson(await messageBatchObject(batches.store.reads, row, urlOf(publicUrl, exchange)));
}

function asked({ principal, wildcard }: Exchange): OwnBatch {
  return { accountId: principal.accountId, id: wildcard, style: 'anthropic' };
}

/** As operators set it, else as the client has called. */
function urlOf(publicUrl: string | undefined, { header }: Exchange): string {
  if (publicUrl !== undefined) return publicUrl;
  const scheme = header('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${header('host') ?? 'localhost'}`;
}
