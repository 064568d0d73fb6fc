// A file as its owner reads it.
import { type FileRow, isFileId, listFiles } from '../store/queries/files.ts';
import { invalidRequest } from '../errors/gateway-error.ts';
import { unixSeconds } from '../shared/clock.ts';
import type { FileDependencies } from './file-dependencies.ts';

export function fileObject(row: FileRow) {
  return {
    id: row.id,
    object: 'file' as const,
    bytes: Number(row.bytes),
    created_at: row.created_at,
    ...(row.expires_at !== null && { expires_at: row.expires_at }),
    filename: row.filename,
    purpose: row.purpose,
    status: 'processed' as const,
  };
}

export function fileList(rows: readonly FileRow[], hasMore: boolean) {
  return {
    object: 'list' as const,
    data: rows.map(fileObject),
    first_id: rows[0]?.id ?? null,
    last_id: rows.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

// A page of them: `purpose`, `limit`, `order` and `after` as the compatible clients send them.
const MOST = 10_000;

export async function listOwnFiles(
  { store, clock }: FileDependencies,
  accountId: string,
  query: URLSearchParams,
): Promise<{ files: FileRow[]; hasMore: boolean }> {
  const limit = readLimit(query.get('limit'));
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') throw invalidRequest("'order' must be asc or desc.", 'order');
  const after = query.get('after') ?? undefined;
  if (after !== undefined && !isFileId(after)) throw invalidRequest("'after' must be the id of a file.", 'after');
  const purpose = query.get('purpose') ?? undefined;
  const now = unixSeconds(clock);
  const rows = await listFiles(store.reads, { accountId, purpose, order, after, now, limit: limit + 1 });
  return { files: rows.slice(0, limit), hasMore: rows.length > limit };
}

function readLimit(text: string | null): number {
  if (text === null) return MOST;
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST) return Number(text);
  throw invalidRequest(`'limit' must be a whole number from 1 to ${MOST}.`, 'limit');
}
