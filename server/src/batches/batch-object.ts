// A batch as its owner reads it, in OpenAI's shape. What is not there yet is left out.
import { countLines } from '../store/queries/batch-lines.ts';
import type { BatchRow } from '../store/queries/batches.ts';
import type { Reads } from '../store/store.ts';
import type { LineProblem } from './create/batch-plan.ts';

const TIMES = [
  'in_progress_at',
  'finalizing_at',
  'completed_at',
  'failed_at',
  'expired_at',
  'cancelling_at',
  'cancelled_at',
] as const;

export interface BatchCounts {
  total: number;
  succeeded: number;
  errored: number;
  cancelled: number;
  expired: number;
}

export async function countsOf(reads: Reads, row: BatchRow): Promise<BatchCounts> {
  if (row.ended_at !== null || row.state === 'validating') return row;
  return { ...(await countLines(reads, row.id)), total: row.total };
}

export async function batchObject(reads: Reads, row: BatchRow) {
  const { total, succeeded, errored, expired } = await countsOf(reads, row);
  const isEnded = row.ended_at !== null;
  return {
    id: row.id,
    object: 'batch' as const,
    endpoint: row.endpoint,
    ...(row.errors !== null && row.state === 'failed' && { errors: errorList(row.errors) }),
    input_file_id: row.input_file_id,
    completion_window: row.completion_window,
    status: row.state,
    ...(isEnded && row.output_file_id !== null && { output_file_id: row.output_file_id }),
    ...(isEnded && row.error_file_id !== null && { error_file_id: row.error_file_id }),
    created_at: row.created_at,
    expires_at: row.expires_at,
    ...Object.fromEntries(TIMES.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]]))),
    request_counts: { total, completed: succeeded, failed: errored + expired },
    ...(row.usage !== null && { usage: JSON.parse(row.usage) as unknown }),
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as unknown),
  };
}

function errorList(text: string): object {
  const problems = JSON.parse(text) as LineProblem[];
  const data = problems.map(({ code, message, param, line }) => ({
    code,
    message,
    ...(param !== undefined && { param }),
    ...(line !== undefined && { line }),
  }));
  return { object: 'list', data };
}
