// A file as its owner reads it.
import type { FileRow } from '../store/queries/files.ts';

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
