// One look at one task that this process has claimed: asks the provider, and moves the task by what it says.
import type { VideoReport } from '../../neutral/video.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import { hideUpstream } from '../../relay/hide-upstream.ts';
import { unixSeconds } from '../../shared/clock.ts';
import type { TaskRow } from '../../store/queries/tasks.ts';
import { refusalIn } from '../refusal-in.ts';
import { handleOf } from '../task-handle.ts';
import { judgeFault } from './judge-fault.ts';
import { judgeReport, type Verdict } from './judge-report.ts';
import type { TaskParts } from '../parts.ts';
import { nextPollMs } from './poll-schedule.ts';
import { callProvider, placeOfTask, type TaskPlace } from '../provider-call.ts';
import { findLostTask } from './reconcile-task.ts';
import { failTask, succeedTask } from '../settle-task.ts';
import { callsBack, changedTask, statusOf } from '../task.ts';

const POLL_TOTAL_MS = 30_000;
/** A submit without an answer that its provider does not list by then was not taken. */
const LOST_SECONDS = 900;
const GAVE_UP = { reason: 'The task was not finished in time.', code: 'task_timed_out' };
const INTERRUPTED = { reason: 'The gateway was interrupted before the task was sent.', code: 'submit_interrupted' };
const LOST = { reason: 'The provider never confirmed the task.', code: 'submit_unconfirmed' };
export const CANCELLED = { reason: 'The task was cancelled.', code: 'task_cancelled', isRemoved: true };

/** Resolves with the row of a task that has just succeeded, for what is done with its video. */
export async function pollTask(parts: TaskParts, task: TaskRow, signal: AbortSignal): Promise<TaskRow | undefined> {
  const at = unixSeconds(parts.clock);
  if (task.state === 'CREATED') {
    await failTask(parts, task, { ...INTERRUPTED, wasNotTaken: true }); // its process died before anything was sent
    return undefined;
  }
  if (task.state === 'SUBMITTING' || task.state === 'SUBMIT_UNKNOWN') {
    await pollLost(parts, task, { at, signal });
    return undefined;
  }
  const place = placeOfTask(parts, task);
  const heard = await ask(parts, { task, place, at, signal });
  if (signal.aborted) return undefined; // this process ends: the next process that claims the task asks again
  const isOver = at >= task.deadline;
  // The last word is the provider's: what it has made by the deadline is not given up.
  if (heard.verdict.kind === 'goes-on' && (isOver || (task.deleted_at !== null && heard.isReported))) {
    const mayCome = callsBack(task) && !isOver;
    const isCancelled = mayCome && place !== undefined && (await cancelUpstream(parts, task, place));
    if (mayCome && !isCancelled) return applyVerdict(parts, { task, place, ...heard });
    await failTask(parts, task, isOver ? GAVE_UP : CANCELLED);
    if (place !== undefined && !isCancelled) await cancelUpstream(parts, task, place);
    return undefined;
  }
  return applyVerdict(parts, { task, place, ...heard });
}

/** Nobody heard the provider's answer: it is looked for, never asked for again (promise V-05). */
async function pollLost(parts: TaskParts, task: TaskRow, { at, signal }: { at: number; signal: AbortSignal }) {
  if (at >= task.deadline) return failTask(parts, task, LOST);
  const found = await findLostTask(parts, task, signal).catch((error: unknown) => {
    if (!(error instanceof UpstreamError)) throw error;
    return 'not-asked' as const;
  });
  if (signal.aborted) return undefined;
  if (typeof found === 'object')
    return goOn(parts, task, {
      state: 'SUBMITTED',
      upstream_id: found.upstreamId,
      handle: found.handle,
      poll_failures: 0,
    });
  if (found !== 'not-asked' && at - (task.sent_at ?? task.created_at) >= LOST_SECONDS)
    return failTask(parts, task, LOST);
  return goOn(parts, task, { state: 'SUBMIT_UNKNOWN', poll_failures: task.poll_failures + 1 });
}

interface Heard {
  verdict: Verdict;
  /** The provider has spoken of the task. */
  isReported: boolean;
  retryAfter?: number | undefined;
}

interface Asked {
  task: TaskRow;
  place: TaskPlace | undefined;
  at: number;
  signal: AbortSignal;
}

async function ask(parts: TaskParts, { task, place, at, signal }: Asked): Promise<Heard> {
  try {
    const report = await askProvider(parts, { task, place, signal });
    parts.metrics.polled('told');
    return { verdict: judgeReport(task, report, at), isReported: true };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    parts.metrics.polled('fault');
    return { verdict: judgeFault(task, error, at), isReported: false, retryAfter: error.facts.retryAfter };
  }
}

export interface Question {
  task: TaskRow;
  place: TaskPlace | undefined;
  signal?: AbortSignal;
  totalMs?: number;
}

/** What the provider says now; throws an UpstreamError when it says nothing that can be understood. */
export async function askProvider(
  parts: TaskParts,
  { task, place, signal, totalMs = POLL_TOTAL_MS }: Question,
): Promise<VideoReport> {
  if (place === undefined || task.upstream_id === null) throw new UpstreamError('unreachable', 'the channel is gone');
  const { video, provider } = place;
  const { body, status } = await callProvider(parts, place, {
    ...video.poll(handleOf(task, task.upstream_id)),
    totalMs,
    ...(signal !== undefined && { signal }),
  });
  const report = video.readTask(body);
  if (report?.linkAt !== undefined)
    return withLink(parts, place, { ...report, linkAt: report.linkAt }, { totalMs, signal });
  if (report !== undefined) return report;
  const refusal = refusalIn(video, body, { status, refusals: provider.refusals });
  throw refusal ?? new UpstreamError('malformed', 'the answer says nothing about the task');
}

/** A provider that gives the link elsewhere has reported nothing before it is asked there. */
async function withLink(
  parts: TaskParts,
  place: TaskPlace,
  { linkAt, ...report }: VideoReport & { linkAt: string },
  { totalMs, signal }: { totalMs: number; signal: AbortSignal | undefined },
): Promise<VideoReport> {
  const { video, provider } = place;
  const call = { method: 'GET', path: linkAt, totalMs, ...(signal !== undefined && { signal }) } as const;
  const { body, status } = await callProvider(parts, place, call);
  const refusal = refusalIn(video, body, { status, refusals: provider.refusals });
  if (refusal !== undefined) throw refusal;
  return { ...report, videoUrl: video.readLink?.(body) };
}

async function applyVerdict(
  parts: TaskParts,
  { task, place, verdict, retryAfter }: Heard & { task: TaskRow; place: TaskPlace | undefined },
): Promise<TaskRow | undefined> {
  if (verdict.kind === 'goes-on') {
    await goOn(parts, task, verdict.changes, retryAfter);
    return undefined;
  }
  if (verdict.kind === 'failed' || place === undefined) {
    const { reason, code } = verdict.kind === 'failed' ? verdict : LOST;
    const hide = (text: string): string => (place === undefined ? text : hideUpstream(text, place, task.model));
    await failTask(parts, task, { reason: hide(reason), code: hide(code) });
    return undefined;
  }
  const ended = await succeedTask(parts, task, { ...verdict, video: place.video });
  return ended === 'settled' ? { ...task, state: 'SUCCESS', result_url: verdict.resultUrl } : undefined;
}

/** Gives the lease back and sets the time of the next look. One that lost its lease meanwhile writes nothing. */
async function goOn(parts: TaskParts, task: TaskRow, changes: Partial<TaskRow>, retryAfter?: number): Promise<void> {
  const now = parts.clock.now();
  const failures = changes.poll_failures ?? task.poll_failures;
  const ageMs = now - task.created_at * 1000;
  const next = nextPollMs({ baseMs: parts.pollMs, ageMs, failures, retryAfter, random: parts.random() });
  // The deadline is kept to the second, however seldom the task is looked at.
  const next_poll_at = Math.min(now + next, Math.max(now + parts.pollMs, task.deadline * 1000));
  const free = { lease_owner: null, lease_until: null, next_poll_at };
  const row = changedTask(task, { ...changes, ...free }, unixSeconds(parts.clock));
  await parts.store.commit({ kind: 'move', row, isEvent: statusOf(row) !== statusOf(task), request: null });
}

/** As far as the provider lets us: what it refuses, it goes on with. */
export async function cancelUpstream(
  parts: TaskParts,
  task: Pick<TaskRow, 'upstream_id' | 'handle'>,
  place: TaskPlace,
  totalMs = POLL_TOTAL_MS,
): Promise<boolean> {
  if (task.upstream_id === null) return false;
  const call = place.video.cancel?.(handleOf(task, task.upstream_id));
  if (call === undefined) return false;
  try {
    await callProvider(parts, place, { ...call, totalMs });
    return true;
  } catch {
    return false;
  }
}
