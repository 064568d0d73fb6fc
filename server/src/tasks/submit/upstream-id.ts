// The provider's id of a task: read from an answer of success, and written into a task that others took for lost while the
// provider was answering.
import type { RequestRow } from '../../store/ledger/operations.ts';
import { findTask, type TaskRow } from '../../store/queries/tasks.ts';
import { moveTask } from '../settle-task.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { canMove } from '../task.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import type { VideoProvider } from '../../providers/video-provider.ts';
import { plainText } from '../../shared/plain-text.ts';
import { type AnsweredTask, refusalIn } from '../../providers/refusals.ts';

/** The poller may move the task between our look and our word. */
const MOST_TRIES = 10;

export interface KeptId {
  upstreamId: string;
  handle: string | null;
  /** The submit's line in the log. */
  request: RequestRow;
}

/** `read`: the row as others made it. Resolves with the row as it is then: without the id only when the task is finished, or when others keep changing the row. */
export async function keepUpstreamId(
  dependencies: Pick<TaskDependencies, 'store' | 'clock' | 'pollMs'>,
  read: TaskRow | undefined,
  { upstreamId, handle, request }: KeptId,
): Promise<TaskRow | undefined> {
  let stored = read;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // An id that was found by a search gives way: the provider gave us this one.
    if (stored === undefined || stored.completed_at !== null || stored.upstream_id === upstreamId) return stored;
    const state = canMove(stored.state, 'SUBMITTED') ? 'SUBMITTED' : stored.state;
    const next_poll_at = dependencies.clock.now() + dependencies.pollMs;
    const free = { lease_owner: null, lease_until: null, next_poll_at, poll_failures: 0, refused_since: null };
    const changes = { state, upstream_id: upstreamId, handle, ...free };
    const { row, isMoved } = await moveTask(dependencies, stored, { changes, request });
    if (isMoved) return row;
    stored = await findTask(dependencies.store.reads, stored.id);
  }
  return stored;
}

const LONGEST_ID = 500;

/** A whole answer that is no refusal and names no task: it can never be asked about. */
export class NoTaskId extends UpstreamError {
  override name = 'NoTaskId';
}

export type Answering = Pick<VideoProvider, 'readSubmitted' | 'readRefusal' | 'readComplaint'>;

/** Throws an UpstreamError: of the refusal's class, or `malformed` when nobody knows whether the task was taken. */
export function readUpstreamId(video: Answering, body: Buffer, answered: AnsweredTask): string {
  const upstreamId = video.readSubmitted(body);
  if (upstreamId !== undefined && upstreamId === plainText(upstreamId, LONGEST_ID)) return upstreamId;
  if (upstreamId !== undefined) throw noId(UpstreamError, answered);
  throw refusalIn(video, body, answered) ?? noId(isWhole(body) ? NoTaskId : UpstreamError, answered);
}

function noId(Kind: typeof UpstreamError, { status }: AnsweredTask): UpstreamError {
  return new Kind('malformed', 'the answer has no task id', { status });
}

/** One that was cut, or is some page of a proxy, may hide a task. */
function isWhole(body: Buffer): boolean {
  try {
    JSON.parse(body.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
