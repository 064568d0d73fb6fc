// Video tasks as operators see them.
import type { Delivery, Task } from '#contract/tasks.ts';
import { formatAmount } from '../../billing/money.ts';
import { findTask, listTaskEvents, stuckSince, type TaskRow } from '../../store/queries/tasks.ts';
import type { DeliveryRow } from '../../store/queries/webhooks.ts';
import type { Reads } from '../../store/store.ts';
import { statusOf } from '../../tasks/task.ts';
import { required } from '../not-found.ts';

type History = Map<string, Task['history']>;

export async function getTask(reads: Reads, id: string, at: number): Promise<Task> {
  const row = required(await findTask(reads, id), 'task', id);
  return writeTask(row, await readHistory(reads, [row]), at);
}

export async function readHistory(reads: Reads, rows: readonly TaskRow[]): Promise<History> {
  const history: History = new Map();
  const events = await listTaskEvents(
    reads,
    rows.map(({ id }) => id),
  );
  for (const { task_id, status: state, at } of events) {
    const known = history.get(task_id) ?? [];
    history.set(task_id, [...known, { status: statusOf({ state }), at }]);
  }
  return history;
}

export function writeTask(row: TaskRow, history: History, at: number): Task {
  return {
    id: row.id,
    account_id: row.account_id,
    token_id: row.token_id,
    request_id: row.request_id,
    endpoint: row.endpoint,
    model: row.model,
    channel_id: row.channel_id,
    upstream_id: row.upstream_id,
    status: statusOf(row),
    state: row.state,
    progress: row.progress,
    result_url: row.result_url,
    fail_reason: row.fail_reason,
    error_code: row.error_code,
    seconds: row.seconds,
    size: row.size,
    hold: formatAmount(row.hold),
    charge: row.charge === null ? null : formatAmount(row.charge),
    arithmetic: row.arithmetic,
    mode: row.mode,
    archived: row.archived === 1,
    webhook_url: row.webhook_url,
    created_at: row.created_at,
    updated_at: row.updated_at,
    completed_at: row.completed_at,
    deleted_at: row.deleted_at,
    deadline: row.deadline,
    stuck: whyStuck(row, at),
    history: history.get(row.id) ?? [],
  };
}

/** The filter of the list, for one row. */
function whyStuck(row: TaskRow, at: number): Task['stuck'] {
  const { failures, madeBefore } = stuckSince(at);
  if (row.completed_at !== null) return null;
  if (row.state === 'SUBMIT_UNKNOWN') return 'submit_unknown';
  if (row.poll_failures >= failures) return 'not_answering';
  return row.created_at < madeBefore ? 'late' : null;
}

export function writeDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    task_id: row.task_id,
    url: row.url,
    payload: row.payload,
    status: row.status,
    attempts: JSON.parse(row.log) as Delivery['attempts'],
    next_attempt_at: row.completed_at === null ? Math.floor(row.next_attempt_at / 1000) : null,
    created_at: row.created_at,
    completed_at: row.completed_at,
  };
}
