// The provider's id of a task it took, from an answer of success; a refusal in such an answer is one like any other.
import { UpstreamError } from '../../providers/upstream-error.ts';
import type { VideoProvider } from '../../providers/video-provider.ts';
import { plainText } from '../../shared/plain-text.ts';
import { type Answered, refusalIn } from '../refusal-in.ts';

const LONGEST_ID = 500;

/** A whole answer that is no refusal and names no task: it can never be asked about. */
export class NoTaskId extends UpstreamError {
  override name = 'NoTaskId';
}

export type Answering = Pick<VideoProvider, 'readSubmitted' | 'readRefusal' | 'readComplaint'>;

/** Throws an UpstreamError: of the refusal's class, or `malformed` when nobody knows whether the task was taken. */
export function readUpstreamId(video: Answering, body: Buffer, answered: Answered): string {
  const upstreamId = video.readSubmitted(body);
  if (upstreamId !== undefined && upstreamId === plainText(upstreamId, LONGEST_ID)) return upstreamId;
  if (upstreamId !== undefined) throw noId(UpstreamError, answered);
  throw refusalIn(video, body, answered) ?? noId(isWhole(body) ? NoTaskId : UpstreamError, answered);
}

function noId(Kind: typeof UpstreamError, { status }: Answered): UpstreamError {
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
