// Refusals of a provider of videos: one inside an answer of success, as the error it would have been with the status that its
// code stands for, and whether a submit that failed may be sent again.
import { judgeRefusal, type RefusalRule } from '../providers/refusals.ts';
import { cannotConnect, classOfStatus, UpstreamError } from '../providers/upstream-error.ts';
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

/** Out of ports of our own: nothing was sent either. */
const NO_PORT = 'EADDRNOTAVAIL';

/** Did a submit that failed surely leave nothing behind? Only then may it be sent again, to somebody else (promise V-05). */
export function certainlyNotAccepted(error: UpstreamError): boolean {
  const { errorClass, facts } = error;
  if (facts.notSent === true) return true;
  switch (errorClass) {
    case 'refused':
    case 'unauthorised':
    case 'limited':
      return true;
    case 'overloaded':
      // Its own words: a page of some proxy in between says nothing about what happened behind it.
      return facts.upstreamMessage !== undefined || facts.upstreamCode !== undefined;
    case 'unreachable':
    case 'timed-out':
      return cannotConnect(error) || (facts.cause as NodeJS.ErrnoException | undefined)?.code === NO_PORT;
    case 'malformed':
    case 'aborted':
      return false;
  }
}
