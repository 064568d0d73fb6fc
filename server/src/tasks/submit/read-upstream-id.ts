// The provider's id of a task it took, from an answer of success; a refusal in such an answer is one like any other.
import { classOfStatus, UpstreamError } from '../../providers/upstream-error.ts';
import type { VideoProvider } from '../../providers/video-provider.ts';
import { plainText } from '../../shared/plain-text.ts';

const LONGEST_ID = 500;

export type Answering = Pick<VideoProvider, 'readSubmitted' | 'readRefusal' | 'readComplaint'>;

/** Throws an UpstreamError: of the refusal's class, or `malformed` when nobody knows whether the task was taken. */
export function readUpstreamId(video: Answering, body: Buffer, status: number): string {
  const upstreamId = video.readSubmitted(body);
  if (upstreamId !== undefined && upstreamId === plainText(upstreamId, LONGEST_ID)) return upstreamId;
  const refusal = upstreamId === undefined ? video.readRefusal(body) : undefined;
  const errorClass = refusal === undefined ? undefined : classOfStatus(refusal);
  if (refusal === undefined || errorClass === undefined)
    throw new UpstreamError('malformed', 'the answer has no task id', { status });
  const { message, code, param } = video.readComplaint(body);
  throw new UpstreamError(errorClass, `the upstream refused with status ${status}`, {
    status: refusal,
    ...(message !== undefined && { upstreamMessage: message }),
    ...(code !== undefined && { upstreamCode: code }),
    ...(param !== undefined && { upstreamParam: param }),
  });
}
