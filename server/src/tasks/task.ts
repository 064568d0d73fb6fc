// A video task: its states, the moves allowed between them, and how callers see it.
import type { TaskStatus, TaskView } from '../neutral/video.ts';
import type { TaskRow, TaskState } from '../store/queries/tasks.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Submitted, VideoHandle, VideoProvider } from '../providers/video-provider.ts';

/** Never backwards, and never out of an end (spec 3, promises V-03 and V-06). */
const moves: Record<TaskState, readonly TaskState[]> = {
  CREATED: ['SUBMITTING', 'FAILURE'],
  SUBMITTING: ['SUBMITTING', 'SUBMIT_UNKNOWN', 'SUBMITTED', 'FAILURE'],
  SUBMIT_UNKNOWN: ['SUBMITTED', 'FAILURE'],
  SUBMITTED: ['QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'],
  QUEUED: ['IN_PROGRESS', 'SUCCESS', 'FAILURE'],
  IN_PROGRESS: ['SUCCESS', 'FAILURE'],
  SUCCESS: [],
  FAILURE: [],
};

export function canMove(from: TaskState, to: TaskState): boolean {
  return moves[from].includes(to);
}

/** Whether the provider has it is our business: to callers it is submitted. */
const shown: Record<TaskState, TaskStatus> = {
  CREATED: 'SUBMITTED',
  SUBMITTING: 'SUBMITTED',
  SUBMIT_UNKNOWN: 'SUBMITTED',
  SUBMITTED: 'SUBMITTED',
  QUEUED: 'QUEUED',
  IN_PROGRESS: 'IN_PROGRESS',
  SUCCESS: 'SUCCESS',
  FAILURE: 'FAILURE',
};

export function statusOf({ state }: Pick<TaskRow, 'state'>): TaskStatus {
  return shown[state];
}

/** The states that callers know by this name. */
export function statesShownAs(status: TaskStatus): TaskState[] {
  return (Object.keys(shown) as TaskState[]).filter((state) => shown[state] === status);
}

/** Its provider hands the video to the caller by itself: as long as it works on it, the money is not given back. */
export function callsBack({ sent }: Pick<TaskRow, 'sent'>): boolean {
  return (JSON.parse(sent) as { callsBack?: unknown }).callsBack === true;
}

/** The task whose video it was made of. */
function remixedFrom({ sent }: Pick<TaskRow, 'sent'>): { remixedFrom?: string } {
  if (!sent.includes('"remixedFrom"')) return {};
  const { remixedFrom: id } = JSON.parse(sent) as { remixedFrom?: unknown };
  return typeof id === 'string' ? { remixedFrom: id } : {};
}

/** The same task one version later; throws when the move is not one of the table. */
export function changedTask(row: TaskRow, changes: Partial<TaskRow>, at: number): TaskRow {
  const state = changes.state ?? row.state;
  if (state !== row.state && !canMove(row.state, state))
    throw new Error(`a task cannot go from ${row.state} to ${state}`);
  return { ...row, ...changes, version: row.version + 1, updated_at: at };
}

/** What clients are shown: a link that only our key opens, or none, is this gateway's own. `base` is its public address. */
export function shownLink({ id, result_url: link }: TaskRow, base = ''): string | undefined {
  return link === null || /^https?:/i.test(link) ? (link ?? undefined) : `${base}/v1/videos/${id}/content`;
}

export function viewTask(row: TaskRow, base?: string): TaskView {
  return {
    id: row.id,
    model: row.model,
    status: statusOf(row),
    progress: row.progress,
    createdAt: row.created_at,
    completedAt: row.completed_at ?? undefined,
    seconds: row.seconds ?? undefined,
    size: row.size ?? undefined,
    resultUrl: shownLink(row, base),
    failReason: row.fail_reason ?? undefined,
    errorCode: row.error_code ?? undefined,
    ...remixedFrom(row),
  };
}

/** One answer for a task that is not there, is somebody else's, or was removed: nobody can tell which (promise V-09). */
export function taskNotFound(id: string): GatewayError {
  return new GatewayError('task_not_found', { message: `The task "${id.slice(0, 100)}" does not exist.` });
}

const LONGEST_HANDLE = 4_000;

/** As it is kept in the task's row: only the provider knows what is in it. null where the id alone is enough. */
export function writeHandle(video: Pick<VideoProvider, 'handleOf'>, submitted: Submitted): string | null {
  if (video.handleOf === undefined) return null;
  const text = JSON.stringify(video.handleOf(submitted));
  if (text.length > LONGEST_HANDLE) throw new UpstreamError('malformed', 'the answer is too long to be kept');
  return text;
}

/** Of a task whose provider has given it an id; rows without a handle are known by it alone. */
export function handleOf({ handle }: Pick<TaskRow, 'handle'>, upstreamId: string): VideoHandle {
  return handle === null ? { id: upstreamId } : (JSON.parse(handle) as VideoHandle);
}
