// What can be asked of the ledger, and what it answers. Every operation may be repeated after an unknown outcome: a
// hold is known by its id, and an ended hold stays ended.
import type { HoldsTable, RequestsTable, TasksTable, WebhookDeliveriesTable } from '../tables.ts';

export type RequestRow = RequestsTable;
export type HoldRow = Omit<HoldsTable, 'checkpoint'>;
export type TaskRow = TasksTable;
export type DeliveryRow = WebhookDeliveriesTable;

/** The note of a hold that was ended because its process is gone. */
export const ORPHANED = 'orphaned';

export interface HoldOperation {
  kind: 'hold';
  hold: HoldRow;
  /** All that the call can come to, where that is more than is held for it: held instead when there is little left. */
  most?: bigint;
  /** The task that the hold is for: made with it, or neither is. */
  task?: TaskRow;
}

export interface EndOperation {
  kind: 'end';
  holdId: string;
  /** The true charge; null releases the whole hold. */
  charge: bigint | null;
  usageSource: RequestsTable['usage_source'];
  at: number;
  /** Why the hold was released, where that is worth a word. */
  note: string | null;
  /** Line of the request log, written in the same transaction. */
  request: RequestRow | null;
  /** The task that the hold is for: finished with it, or neither is. */
  task?: TaskEnd;
}

export interface TaskEnd {
  row: TaskRow;
  /** Word of the end for a webhook. */
  delivery: DeliveryRow | null;
}

/** Changes a task that is not finished. Its money stays as it is. */
export interface MoveOperation {
  kind: 'move';
  /** As it is to be; its version is one above the one that was read. */
  row: TaskRow;
  /** Its status changes in the eyes of callers. */
  isEvent: boolean;
  request: RequestRow | null;
}

/** A line of the request log with no money in it. */
export interface LogOperation {
  kind: 'log';
  request: RequestRow;
}

/** What a call has come to so far, for the case that its process dies. Nothing for a hold that is not open. */
export interface CheckpointOperation {
  kind: 'checkpoint';
  holdId: string;
  checkpoint: string;
}

export type LedgerOperation = HoldOperation | EndOperation | MoveOperation | LogOperation | CheckpointOperation;

export type HoldResult = 'held' | 'balance_too_low' | 'quota_too_low' | 'budget_too_low' | 'cap_too_low';
/**
 * `settled` and `released` say how the hold ended, be it by this operation or by an earlier one; `unknown`: no such hold;
 * `stale`: somebody else has changed or ended the task since it was read, and neither task nor money was changed.
 */
export type EndResult = 'settled' | 'released' | 'unknown' | 'stale';
export type MoveResult = 'moved' | 'stale';

export type LedgerResult<O extends LedgerOperation = LedgerOperation> = O extends HoldOperation
  ? HoldResult
  : O extends EndOperation
    ? EndResult
    : O extends MoveOperation
      ? MoveResult
      : O extends CheckpointOperation
        ? 'noted'
        : 'logged';
