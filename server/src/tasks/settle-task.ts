// The moves of a task, and its end. Of the end, state, money, line in the request log and the word to its webhook are one
// transaction, which happens once, however often it is asked for (promises V-03, V-04).
import type { VideoReport } from '../neutral/video.ts';
import type { VideoProvider } from '../providers/video-provider.ts';
import { unixSeconds } from '../shared/clock.ts';
import { plainText, shortened } from '../shared/plain-text.ts';
import type { EndResult, RequestRow } from '../store/ledger/operations.ts';
import { findTask, type TaskRow } from '../store/queries/tasks.ts';
import type { TaskDependencies } from './dependencies.ts';
import { changedTask } from './task.ts';
import { chargeFor } from './task-bill.ts';
import { makeDelivery } from './webhooks/webhook-event.ts';

export interface Failed {
  reason: string;
  code: string;
  /** The owner shall not see it any more. */
  isRemoved?: boolean;
  /** No provider has taken it, for sure. */
  wasNotTaken?: boolean;
  /** The submit itself failed: its line in the log. */
  request?: RequestRow;
}

const LONGEST_REASON = 2_000;
const LONGEST_CODE = 100;

export interface Succeeded {
  resultUrl: string;
  reported: VideoReport['reported'];
  video: Pick<VideoProvider, 'charged'>;
}

/** Charges what the provider counted. `stale`: somebody else has the task now. */
export async function succeedTask(dependencies: TaskDependencies, task: TaskRow, end: Succeeded): Promise<EndResult> {
  const charge = chargeFor(task, end.reported, end.video);
  if (charge.doubted !== undefined)
    dependencies.onError(
      new Error(`a count of ${charge.doubted} is not believed`),
      `usage of ${task.id} was not trusted`,
    );
  const row = ended(dependencies, task, {
    state: 'SUCCESS',
    result_url: end.resultUrl,
    told: JSON.stringify(end.reported),
    charge: charge.amount,
    arithmetic: charge.arithmetic,
  });
  const request: RequestRow = {
    ...requestOf(row),
    usage: JSON.stringify(charge.usage),
    usage_source: charge.source,
    charge: charge.amount,
    arithmetic: charge.arithmetic,
  };
  return finish(dependencies, { row, request, charge: charge.amount, source: charge.source, note: null });
}

/** Gives the whole hold back. */
export async function failTask(dependencies: TaskDependencies, task: TaskRow, end: Failed): Promise<EndResult> {
  const at = unixSeconds(dependencies.clock);
  const code = plainText(end.code, LONGEST_CODE);
  const row = ended(dependencies, task, {
    state: 'FAILURE',
    fail_reason: shortened(end.reason, LONGEST_REASON),
    error_code: code,
    charge: 0n,
    arithmetic: `failed (${code}): 0`,
    ...(end.isRemoved === true && { deleted_at: at }),
    ...(end.wasNotTaken === true && { upstream_model: null, sent_at: null }),
  });
  const request = { ...(end.request ?? requestOf(row)), arithmetic: row.arithmetic };
  return finish(dependencies, { row, request, charge: null, source: null, note: code });
}

interface Finish {
  row: TaskRow;
  request: RequestRow;
  charge: bigint | null;
  source: RequestRow['usage_source'];
  note: string | null;
}

async function finish(
  dependencies: TaskDependencies,
  { row, request, charge, source, note }: Finish,
): Promise<EndResult> {
  const delivery = await makeDelivery(dependencies, row);
  const result = await dependencies.store.commit({
    kind: 'end',
    holdId: row.id,
    charge,
    usageSource: source,
    at: row.updated_at,
    note,
    request,
    task: { row, delivery },
  });
  if (result === 'settled' || result === 'released') {
    if (charge !== null)
      dependencies.router.charged({ channelId: row.channel_id ?? '', keyId: row.key_id ?? '' }, charge);
    const status = row.state === 'SUCCESS' ? 'SUCCESS' : 'FAILURE';
    dependencies.metrics.taskEnded({
      status,
      charge: charge ?? 0n,
      mode: row.mode,
      source,
      model: row.model,
      channelId: row.channel_id,
    });
    if (delivery !== null) dependencies.onDelivery();
  }
  return result;
}

function ended({ clock }: TaskDependencies, task: TaskRow, changes: Partial<TaskRow>): TaskRow {
  const at = unixSeconds(clock);
  return changedTask(task, { progress: 100, lease_owner: null, lease_until: null, completed_at: at, ...changes }, at);
}

/** The line of a submit that was taken, for when its process died before it could write one. */
function requestOf(row: TaskRow): RequestRow {
  return {
    id: row.request_id,
    account_id: row.account_id,
    token_id: row.token_id,
    group_name: row.group_name,
    endpoint: row.endpoint,
    model: row.model,
    channel_id: row.channel_id,
    status: 200,
    error_code: null,
    attempts: '[]',
    first_byte_ms: null,
    total_ms: 0,
    usage: null,
    usage_source: null,
    charge: 0n,
    arithmetic: null,
    mode: row.mode,
    created_at: row.created_at,
  };
}

const MOST_END_TRIES = 5;

/** Fails a task whose row may be ahead of what we know: the store was away in a change of ours, or others took it for lost. */
export async function failStored(dependencies: TaskDependencies, task: TaskRow, end: Failed): Promise<void> {
  let row = task;
  for (let tries = 0; tries < MOST_END_TRIES && (await failTask(dependencies, row, end)) === 'stale'; tries++) {
    const stored = await findTask(dependencies.store.reads, task.id);
    if (stored === undefined || stored.upstream_id !== null || stored.completed_at !== null) return;
    row = stored;
  }
}

export interface Move {
  changes: Partial<TaskRow>;
  /** Its line in the request log. */
  request?: RequestRow;
}

/** What this process alone can have written with that version. */
const SIGNS = ['version', 'state', 'lease_owner', 'channel_id', 'key_id', 'upstream_id', 'next_poll_at'] as const;

/**
 * Changes a task that is not finished, unseen by callers, and knows its own change again when the store could not say whether
 * it was made. `row` is the task as it is then; where somebody else has changed it since it was read, nothing was written, and `stored`
 * is what they made of it.
 */
export async function moveTask(
  { store, clock }: Pick<TaskDependencies, 'store' | 'clock'>,
  task: TaskRow,
  { changes, request }: Move,
): Promise<{ row: TaskRow; isMoved: boolean; stored?: TaskRow | undefined }> {
  const row = changedTask(task, changes, unixSeconds(clock));
  const result = await store.commit({ kind: 'move', row, isEvent: false, request: request ?? null });
  if (result === 'moved') return { row, isMoved: true };
  // A commit whose answer was lost is sent again, and finds its own work.
  const stored = await findTask(store.reads, row.id);
  return { row, isMoved: stored !== undefined && SIGNS.every((name) => stored[name] === row[name]), stored };
}
