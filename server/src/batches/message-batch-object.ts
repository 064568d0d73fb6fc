// A batch as its owner reads it, in Anthropic's shape.
import type { BatchRow } from '../store/queries/batches.ts';
import type { Reads } from '../store/store.ts';
import { countsOf } from './batch-object.ts';

/** `publicUrl`: where this gateway is reached, without a slash at the end. */
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
