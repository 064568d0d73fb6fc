// The provider's id of a task it took, from an answer of success; a refusal in such an answer is one like any other.
import { judgeRefusal, type RefusalRule } from '../../providers/refusals.ts';
import { classOfStatus, UpstreamError } from '../../providers/upstream-error.ts';
import type { VideoProvider } from '../../providers/video-provider.ts';
import { plainText } from '../../shared/plain-text.ts';

const LONGEST_ID = 500;

/** A whole answer that is no refusal and names no task: it can never be asked about. */
export class NoTaskId extends UpstreamError {
  override name = 'NoTaskId';
}

export type Answering = Pick<VideoProvider, 'readSubmitted' | 'readRefusal' | 'readComplaint'>;

/** Throws an UpstreamError: of the refusal's class, or `malformed` when nobody knows whether the task was taken. */
export function readUpstreamId(
  video: Answering,
  body: Buffer,
  { status, refusals }: { status: number; refusals?: readonly RefusalRule[] | undefined },
): string {
  const upstreamId = video.readSubmitted(body);
  if (upstreamId !== undefined && upstreamId === plainText(upstreamId, LONGEST_ID)) return upstreamId;
  const refusal = upstreamId === undefined ? video.readRefusal(body) : undefined;
  if (refusal === undefined || classOfStatus(refusal) === undefined)
    throw new (upstreamId === undefined && isWhole(body) ? NoTaskId : UpstreamError)(
      'malformed',
      'the answer has no task id',
      { status },
    );
  const complaint = video.readComplaint(body);
  const { message, code, param } = complaint;
  const { errorClass, about } = judgeRefusal({ status: refusal, ...complaint }, refusals);
  throw new UpstreamError(errorClass, `the upstream refused with status ${status}`, {
    status: refusal,
    ...(about !== undefined && { about }),
    ...(message !== undefined && { upstreamMessage: message }),
    ...(code !== undefined && { upstreamCode: code }),
    ...(param !== undefined && { upstreamParam: param }),
  });
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
