// What a call has come to so far, as it stands with its hold.
import type { EndOperation, RequestRow } from './operations.ts';
import { ORPHANED } from './operations.ts';

export function writeCheckpoint(row: RequestRow): string {
  return JSON.stringify({ ...row, charge: row.charge.toString() });
}

/** Ends the hold of a call whose process is gone: by its checkpoint, or whole when it has none. */
export function endOrphan(holdId: string, checkpoint: string | null, at: number): EndOperation {
  const gone = { kind: 'end', holdId, at, note: ORPHANED } as const;
  if (checkpoint === null) return { ...gone, charge: null, usageSource: null, request: null };
  const stored = JSON.parse(checkpoint) as Omit<RequestRow, 'charge'> & { charge: string };
  const request: RequestRow = { ...stored, charge: BigInt(stored.charge), error_code: ORPHANED };
  return { ...gone, charge: request.charge, usageSource: request.usage_source, request };
}
