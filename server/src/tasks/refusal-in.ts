// A refusal inside an answer of success, as the error it would have been with the status that its code stands for.
import { judgeRefusal, type RefusalRule } from '../providers/refusals.ts';
import { classOfStatus, UpstreamError } from '../providers/upstream-error.ts';
import type { VideoProvider } from '../providers/video-provider.ts';

export interface Answered {
  status: number;
  /** Whom a refusal is about, as the provider declares it. */
  refusals?: readonly RefusalRule[] | undefined;
}

/** undefined when the body is none. */
export function refusalIn(
  video: Pick<VideoProvider, 'readRefusal' | 'readComplaint'>,
  body: Buffer,
  { status, refusals }: Answered,
): UpstreamError | undefined {
  const refusal = video.readRefusal(body, status);
  if (refusal === undefined || classOfStatus(refusal) === undefined) return undefined;
  const complaint = video.readComplaint(body);
  const { message, code, param } = complaint;
  const { errorClass, about } = judgeRefusal({ ...complaint, status: refusal }, refusals);
  return new UpstreamError(errorClass, `the upstream refused with status ${status}`, {
    status: refusal,
    ...(about !== undefined && { about }),
    ...(message !== undefined && { upstreamMessage: message }),
    ...(code !== undefined && { upstreamCode: code }),
    ...(param !== undefined && { upstreamParam: param }),
  });
}
