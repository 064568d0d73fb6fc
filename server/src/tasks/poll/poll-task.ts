// One look at one task that this process has claimed: asks the provider, and moves the task by what it says.
import type { VideoReport } from '../../neutral/video.ts';
import { refusalIn } from '../../providers/refusals.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import { hideUpstream } from '../../relay/hide-upstream.ts';
import { unixSeconds } from '../../shared/clock.ts';
import type { TaskRow } from '../../store/queries/tasks.ts';
import { callsBack, changedTask, handleOf, statusOf } from '../task.ts';
import { judgeFault, judgeReport, type Verdict } from './judge-report.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { nextPollMs } from './poll-schedule.ts';
import { CALL_TOTAL_MS, callProvider, cancelUpstream, targetOfTask, type TaskTarget } from '../provider-call.ts';
import { findLostTask } from './reconcile-task.ts';
import { failTask, succeedTask } from '../settle-task.ts';

/** A submit without an answer that its provider does not list by then was not taken. */
const LOST_SECONDS = 900;
const GAVE_UP = { reason: 'The task was not finished in time.', code: 'task_timed_out' };
const INTERRUPTED = { reason: 'The gateway was interrupted before the task was sent.', code: 'submit_interrupted' };
const LOST = { reason: 'The provider never confirmed the task.', code: 'submit_unconfirmed' };
export const CANCELLED = { reason: 'The task was cancelled.', code: 'task_cancelled', isRemoved: true };

/** Resolves with the row of a task that has just succeeded, for what is done with its video. */
export async function pollTask(
  dependencies: TaskDependencies,
  task: TaskRow,
  signal: AbortSignal,
): Promise<TaskRow | undefined> {
  const at = unixSeconds(dependencies.clock);
  if (task.state === 'CREATED') {
    await failTask(dependencies, task, { ...INTERRUPTED, wasNotTaken: true }); // its process died before anything was sent
    return undefined;
  }
  if (task.state === 'SUBMITTING' || task.state === 'SUBMIT_UNKNOWN') {
    await pollLost(dependencies, task, { at, signal });
    return undefined;
  }
  const target = targetOfTask(dependencies, task);
  const heard = await ask(dependencies, { task, target, at, signal });
  if (signal.aborted) return undefined; // this process ends: the next process that claims the task asks again
  const isOver = at >= task.deadline;
  // The last word is the provider's: what it has made by the deadline is not given up.
  if (heard.verdict.kind === 'goes-on' && (isOver || (task.deleted_at !== null && heard.isReported))) {
    const mayCome = callsBack(task) && !isOver;
    const isCancelled = mayCome && target !== undefined && (await cancelUpstream(dependencies, task, target));
    if (mayCome && !isCancelled) return applyVerdict(dependencies, { task, target, ...heard });
    await failTask(dependencies, task, isOver ? GAVE_UP : CANCELLED);
    if (target !== undefined && !isCancelled) await cancelUpstream(dependencies, task, target);
    return undefined;
  }
  return applyVerdict(dependencies, { task, target, ...heard });
}

/** Nobody heard the provider's answer: it is looked for, never asked for again (promise V-05). */
async function pollLost(
  dependencies: TaskDependencies,
  task: TaskRow,
  { at, signal }: { at: number; signal: AbortSignal },
) {
  if (at >= task.deadline) return failTask(dependencies, task, LOST);
  const found = await findLostTask(dependencies, task, signal).catch((error: unknown) => {
    if (!(error instanceof UpstreamError)) throw error;
    return 'not-asked' as const;
  });
  if (signal.aborted) return undefined;
  if (typeof found === 'object')
    return goOn(dependencies, task, {
      state: 'SUBMITTED',
      upstream_id: found.upstreamId,
      handle: found.handle,
      poll_failures: 0,
    });
  if (found !== 'not-asked' && at - (task.sent_at ?? task.created_at) >= LOST_SECONDS)
    return failTask(dependencies, task, LOST);
  return goOn(dependencies, task, { state: 'SUBMIT_UNKNOWN', poll_failures: task.poll_failures + 1 });
}

interface Heard {
  verdict: Verdict;
  /** The provider has spoken of the task. */
  isReported: boolean;
  retryAfter?: number | undefined;
}

interface Asked {
  task: TaskRow;
  target: TaskTarget | undefined;
  at: number;
  signal: AbortSignal;
}

async function ask(dependencies: TaskDependencies, { task, target, at, signal }: Asked): Promise<Heard> {
  try {
    const report = await askProvider(dependencies, { task, target, signal });
    dependencies.metrics.polled('answered');
    return { verdict: judgeReport(task, report, at), isReported: true };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    dependencies.metrics.polled('fault');
    return { verdict: judgeFault(task, error, at), isReported: false, retryAfter: error.facts.retryAfter };
  }
}

export interface Question {
  task: TaskRow;
  target: TaskTarget | undefined;
  signal?: AbortSignal;
  totalMs?: number;
}

/** What the provider says now; throws an UpstreamError when it says nothing that can be understood. */
export async function askProvider(
  dependencies: TaskDependencies,
  { task, target, signal, totalMs = CALL_TOTAL_MS }: Question,
): Promise<VideoReport> {
  if (target === undefined || task.upstream_id === null) throw new UpstreamError('unreachable', 'the channel is gone');
  const { video, provider } = target;
  const { body, status } = await callProvider(dependencies, target, {
    ...video.poll(handleOf(task, task.upstream_id)),
    totalMs,
    ...(signal !== undefined && { signal }),
  });
  const report = video.readTask(body);
  if (report?.linkAt !== undefined)
    return withLink(dependencies, target, { ...report, linkAt: report.linkAt }, { totalMs, signal });
  if (report !== undefined) return report;
  const refusal = refusalIn(video, body, { status, refusals: provider.refusals });
  throw refusal ?? new UpstreamError('malformed', 'the answer says nothing about the task');
}

/** A provider that gives the link elsewhere has reported nothing before it is asked there. */
async function withLink(
  dependencies: TaskDependencies,
  target: TaskTarget,
  { linkAt, ...report }: VideoReport & { linkAt: string },
  { totalMs, signal }: { totalMs: number; signal: AbortSignal | undefined },
): Promise<VideoReport> {
  const { video, provider } = target;
  const call = { method: 'GET', path: linkAt, totalMs, ...(signal !== undefined && { signal }) } as const;
  const { body, status } = await callProvider(dependencies, target, call);
  const refusal = refusalIn(video, body, { status, refusals: provider.refusals });
  if (refusal !== undefined) throw refusal;
  return { ...report, videoUrl: video.readLink?.(body) };
}

async function applyVerdict(
  dependencies: TaskDependencies,
  { task, target, verdict, retryAfter }: Heard & { task: TaskRow; target: TaskTarget | undefined },
): Promise<TaskRow | undefined> {
  if (verdict.kind === 'goes-on') {
    await goOn(dependencies, task, verdict.changes, retryAfter);
    return undefined;
  }
  if (verdict.kind === 'failed' || target === undefined) {
    const { reason, code } = verdict.kind === 'failed' ? verdict : LOST;
    const hide = (text: string): string => (target === undefined ? text : hideUpstream(text, target, task.model));
    await failTask(dependencies, task, { reason: hide(reason), code: hide(code) });
    return undefined;
  }
  const ended = await succeedTask(dependencies, task, { ...verdict, video: target.video });
  return ended === 'settled' ? { ...task, state: 'SUCCESS', result_url: verdict.resultUrl } : undefined;
}

/** Gives the lease back and sets the time of the next look. One that lost its lease meanwhile writes nothing. */
async function goOn(
  dependencies: TaskDependencies,
  task: TaskRow,
  changes: Partial<TaskRow>,
  retryAfter?: number,
): Promise<void> {
  const now = dependencies.clock.now();
  const failures = changes.poll_failures ?? task.poll_failures;
  const ageMs = now - task.created_at * 1000;
  const next = nextPollMs({ baseMs: dependencies.pollMs, ageMs, failures, retryAfter, random: dependencies.random() });
  // The deadline is kept to the second, however seldom the task is looked at.
  const next_poll_at = Math.min(now + next, Math.max(now + dependencies.pollMs, task.deadline * 1000));
  const free = { lease_owner: null, lease_until: null, next_poll_at };
  const row = changedTask(task, { ...changes, ...free }, unixSeconds(dependencies.clock));
  await dependencies.store.commit({ kind: 'move', row, isEvent: statusOf(row) !== statusOf(task), request: null });
}
