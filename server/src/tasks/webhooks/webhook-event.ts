// Word of a finished task for a webhook: written together with the end of the task, so that none is forgotten.
import { makeOrderedId } from '../../shared/ids.ts';
import type { DeliveryRow } from '../../store/ledger/operations.ts';
import type { TaskRow } from '../../store/queries/tasks.ts';
import { findWebhook } from '../../store/queries/webhooks.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { shownLink, statusOf } from '../task.ts';

/** To the address that the submit named, else to the account's; null where there is neither, or nobody to tell. */
export async function makeDelivery(
  { store, clock, publicUrl }: TaskDependencies,
  row: TaskRow,
): Promise<DeliveryRow | null> {
  if (row.deleted_at !== null) return null;
  const webhook = await findWebhook(store.reads, row.account_id);
  const url = row.webhook_url ?? webhook?.url ?? null;
  if (webhook === undefined || url === null) return null;
  const id = makeOrderedId('msg', clock.now());
  return {
    id,
    task_id: row.id,
    account_id: row.account_id,
    url,
    payload: JSON.stringify(eventOf(id, row, publicUrl)),
    status: 'pending',
    attempts: 0,
    log: '[]',
    next_attempt_at: clock.now(),
    created_at: row.updated_at,
    completed_at: null,
  };
}

function eventOf(id: string, row: TaskRow, base: string | undefined): Record<string, unknown> {
  const isDone = row.state === 'SUCCESS';
  return {
    id: id.replace('msg', 'evt'),
    object: 'event',
    type: isDone ? 'video.completed' : 'video.failed',
    created_at: row.updated_at,
    data: {
      id: row.id,
      task_id: row.id,
      model: row.model,
      status: statusOf(row),
      result_url: shownLink(row, base) ?? '',
      fail_reason: isDone ? '' : (row.fail_reason ?? ''),
    },
  };
}
