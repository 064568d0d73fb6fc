// Batches as operators see them.
import type { Batch } from '#contract/batches.ts';
import { countLines } from '../../store/queries/batch-lines.ts';
import type { BatchRow } from '../../store/queries/batches.ts';
import type { Reads } from '../../store/store.ts';

const NONE = { waiting: 0, running: 0 };

export async function writeBatch(reads: Reads, row: BatchRow): Promise<Batch> {
  const { total, succeeded, errored, cancelled, expired } = row;
  const isEnded = row.ended_at !== null;
  const counts = isEnded ? { ...NONE, succeeded, errored, cancelled, expired } : await countLines(reads, row.id);
  const problems = JSON.parse(row.errors ?? '[]') as { code: string; message: string; param?: string; line?: number }[];
  return {
    id: row.id,
    account_id: row.account_id,
    token_id: row.token_id,
    style: row.style,
    endpoint: row.endpoint,
    status: row.state === 'holding' ? 'validating' : row.state,
    mode: row.mode,
    input_file_id: row.input_file_id,
    output_file_id: isEnded ? row.output_file_id : null,
    error_file_id: isEnded ? row.error_file_id : null,
    lines: { total, ...counts },
    errors: problems.map(({ code, message, param, line }) => ({
      code,
      message,
      param: param ?? null,
      line: line ?? null,
    })),
    created_at: row.created_at,
    expires_at: row.expires_at,
    ended_at: row.ended_at,
    deleted_at: row.deleted_at,
  };
}
