// A batch as its owner reads it, in OpenAI's shape and in Anthropic's. What is not there yet is left out of the former.
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

/** The same in Anthropic's shape. `publicUrl`: where this gateway is reached, without a slash at the end. */
export async function messageBatchObject(reads: Reads, row: BatchRow, publicUrl: string) {
  const { total, succeeded, errored, cancelled, expired } = await countsOf(reads, row);
  const isEnded = row.ended_at !== null;
  return {
    id: row.id,
    type: 'message_batch' as const,
    processing_status: isEnded ? 'ended' : row.cancelling_at === null ? 'in_progress' : 'canceling',
    request_counts: {
      processing: isEnded ? 0 : total - succeeded - errored - cancelled - expired,
      succeeded,
      errored,
      canceled: cancelled,
      expired,
    },
    created_at: timeOf(row.created_at),
    expires_at: timeOf(row.expires_at),
    ended_at: timeOf(row.ended_at),
    cancel_initiated_at: timeOf(row.cancelling_at),
    archived_at: timeOf(row.archived_at),
    results_url: isEnded && row.archived_at === null ? `${publicUrl}/v1/messages/batches/${row.id}/results` : null,
  };
}

function timeOf(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
}
