// The provider's handle of a task, as it is kept in the task's row. Only the provider knows what is in it.
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Submitted, VideoHandle, VideoProvider } from '../providers/video-provider.ts';
import type { TaskRow } from '../store/queries/tasks.ts';

const LONGEST = 4_000;

/** null where the id alone is enough. */
export function writeHandle(video: Pick<VideoProvider, 'handleOf'>, submitted: Submitted): string | null {
  if (video.handleOf === undefined) return null;
  const text = JSON.stringify(video.handleOf(submitted));
  if (text.length > LONGEST) throw new UpstreamError('malformed', 'the answer is too long to be kept');
  return text;
}

/** Of a task whose provider has given it an id; rows without a handle are known by it alone. */
export function handleOf({ handle }: Pick<TaskRow, 'handle'>, upstreamId: string): VideoHandle {
  return handle === null ? { id: upstreamId } : (JSON.parse(handle) as VideoHandle);
}
