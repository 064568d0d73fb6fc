// Batches of one account: found, listed, cancelled, deleted. Whatever is not the account's is 404.
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import { unixSeconds } from '../shared/clock.ts';
import { type BatchRow, changeBatch, findOwnBatch, isBatchId, listBatches } from '../store/queries/batches.ts';
import type { BatchDependencies } from './batch-dependencies.ts';

type Style = BatchRow['style'];
const [USUAL_LIMIT, MOST] = [20, { openai: 100, anthropic: 1_000 }];

export interface OwnBatch {
  accountId: string;
  id: string;
  style: Style;
}

export async function getOwnBatch({ store }: Pick<BatchDependencies, 'store'>, asked: OwnBatch): Promise<BatchRow> {
  const row = await findOwnBatch(store.reads, asked);
  if (row === undefined)
    throw new GatewayError('not_found', { message: `The batch "${asked.id.slice(0, 100)}" does not exist.` });
  return row;
}

/** Newest first. OpenAI's clients page by `after`, Anthropic's by `after_id` and `before_id`. */
export async function listOwnBatches(
  { store }: Pick<BatchDependencies, 'store'>,
  { accountId, style }: Pick<OwnBatch, 'accountId' | 'style'>,
  query: URLSearchParams,
): Promise<{ rows: BatchRow[]; hasMore: boolean }> {
  const limit = readLimit(query.get('limit'), MOST[style]);
  const after = readId(query, style === 'openai' ? 'after' : 'after_id');
  const before = style === 'openai' ? undefined : readId(query, 'before_id');
  if (after !== undefined && before !== undefined)
    throw invalidRequest("'after_id' and 'before_id' must not both be given.", 'before_id');
  const rows = await listBatches(store.reads, { accountId, style, after, before, limit: limit + 1 });
  const hasMore = rows.length > limit;
  return { rows: before === undefined ? rows.slice(0, limit) : rows.slice(-limit), hasMore };
}

/** What has not begun yet is given up; what is under way may end, and is charged. */
export async function cancelOwnBatch(dependencies: BatchDependencies, asked: OwnBatch): Promise<BatchRow> {
  const set = { state: 'cancelling', cancelling_at: unixSeconds(dependencies.clock) } as const;
  const row = await getOwnBatch(dependencies, asked);
  if (row.state === 'cancelling') return row;
  // One whose lines are wrong fails a moment later anyway.
  const isChanged =
    row.errors === null &&
    (await changeBatch(dependencies.store, row.id, { from: ['validating', 'in_progress'], set }));
  const now = await getOwnBatch(dependencies, asked);
  if (!isChanged && now.state !== 'cancelling')
    throw new GatewayError('conflict', { message: `A batch with status ${now.state} cannot be cancelled.` });
  dependencies.wake();
  return now;
}

/** Only once it has ended; its results go with it. */
export async function deleteOwnBatch(dependencies: BatchDependencies, asked: OwnBatch): Promise<void> {
  const row = await getOwnBatch(dependencies, asked);
  if (row.ended_at === null)
    throw new GatewayError('conflict', { message: 'A batch can be deleted once it has ended. Cancel it first.' });
  await changeBatch(dependencies.store, row.id, {
    from: [row.state],
    set: { deleted_at: unixSeconds(dependencies.clock) },
  });
  await dependencies.files.blobs.remove(row.id);
}

function readLimit(text: string | null, most: number): number {
  if (text === null) return USUAL_LIMIT;
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
  throw invalidRequest(`'limit' must be a whole number from 1 to ${most}.`, 'limit');
}

function readId(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (isBatchId(text)) return text;
  throw invalidRequest(`'${name}' must be the id of a batch.`, name);
}
