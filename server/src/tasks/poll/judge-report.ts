// What a provider's word about a task does to it. Pure: the row as it is, the report and the time go in.
import type { VideoReport } from '../../neutral/video.ts';
import { shortened } from '../../shared/plain-text.ts';
import type { TaskRow, TaskState } from '../../store/queries/tasks.ts';
import { canMove } from '../task.ts';
import type { UpstreamError } from '../../providers/upstream-error.ts';

export type Verdict =
  | { kind: 'goes-on'; changes: Partial<TaskRow> }
  | { kind: 'succeeded'; resultUrl: string; reported: VideoReport['reported'] }
  | { kind: 'failed'; reason: string; code: string };

/** Right after the submit, a provider may not know the task yet. */
const UNKNOWN_GRACE_SECONDS = 60;
/** So often a provider may call a task done without saying where the video is. */
const MOST_WITHOUT_VIDEO = 5;
const LONGEST_REASON = 2_000;
/** Only an end is 100. */
const MOST_PROGRESS = 99;

const STATES = { queued: 'QUEUED', in_progress: 'IN_PROGRESS' } as const satisfies Record<string, TaskState>;

export function judgeReport(row: TaskRow, report: VideoReport, at: number): Verdict {
  const { status } = report;
  if (report.isUnknown) {
    if (at - row.created_at < UNKNOWN_GRACE_SECONDS) return heardNothing(row);
    return {
      kind: 'failed',
      reason: report.failReason ?? 'The provider does not know the task any more.',
      code: 'task_unknown',
    };
  }
  if (status === 'failed') {
    const reason = (report.failReason ?? '').trim() || 'The provider could not make the video.';
    return { kind: 'failed', reason: shortened(reason, LONGEST_REASON), code: report.failCode ?? 'task_failed' };
  }
  if (status === 'succeeded') {
    const { videoUrl } = report;
    if (videoUrl !== undefined && videoUrl !== '')
      return { kind: 'succeeded', resultUrl: videoUrl, reported: report.reported };
    const videoless = row.videoless + 1;
    if (videoless < MOST_WITHOUT_VIDEO)
      return { kind: 'goes-on', changes: { ...heardNothing(row).changes, videoless } };
    return { kind: 'failed', reason: 'The provider finished the task without a video.', code: 'no_video' };
  }
  const state = canMove(row.state, STATES[status]) ? STATES[status] : row.state; // a step back is not taken
  const reported = Number.isFinite(report.progress) ? Math.floor(report.progress) : 0;
  const progress = Math.max(row.progress, Math.min(MOST_PROGRESS, reported));
  return { kind: 'goes-on', changes: { state, progress, poll_failures: 0, videoless: 0, refused_since: null } };
}

function heardNothing(row: TaskRow): Extract<Verdict, { kind: 'goes-on' }> {
  return { kind: 'goes-on', changes: { poll_failures: row.poll_failures + 1, refused_since: null } };
}

const REFUSED_SECONDS = 1_800;
const REFUSED_TIMES = 10;
/** Of these a provider that knows the task never speaks. */
const REFUSALS = new Set([404, 410]);

/**
 * What a poll that failed does to its task: hardly ever anything. Only a provider that refuses to know the task, again and
 * again for a long time, ends it; a key that is refused says nothing about the task (promise V-07).
 */
export function judgeFault(row: TaskRow, error: UpstreamError, at: number): Verdict {
  const isRefused = REFUSALS.has(error.facts.status ?? 0);
  const since = isRefused ? (row.refused_since ?? at) : null;
  const failures = row.poll_failures + 1;
  if (since !== null && at - since >= REFUSED_SECONDS && failures >= REFUSED_TIMES) {
    const reason = `The provider has refused to tell of the task for ${Math.round((at - since) / 60)} minutes.`;
    return { kind: 'failed', reason, code: 'task_unreachable' };
  }
  return { kind: 'goes-on', changes: { poll_failures: failures, refused_since: since } };
}
