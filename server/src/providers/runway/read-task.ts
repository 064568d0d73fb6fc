// What Runway answers. https://docs.dev.runwayml.com
import type { VideoReport } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { addressIn, amountIn, objectIn, parseAnswer, textIn } from '../upstream-values.ts';
import { reportedUnits } from '../video/bill-by-time.ts';
import { cancelled, failed, queued, reportOf, running, type State, stateIn, succeeded } from '../video/report.ts';

const states: Readonly<Record<string, State>> = {
  pending: queued,
  throttled: queued, // accepted, and waits for a slot of the account
  running,
  succeeded,
  failed,
  cancelled,
};

/** Its only word for an empty account, with 400. */
const NO_CREDITS = /^you do not have enough credits\b/i;

export function readRefusal(body: Buffer, status: number): number | undefined {
  return status === 400 && NO_CREDITS.test(readComplaint(body).message ?? '') ? 402 : undefined;
}

export function readComplaint(body: Buffer): UpstreamComplaint {
  const answer = parseAnswer(body) ?? {};
  const [issue] = Array.isArray(answer['issues']) ? (answer['issues'] as unknown[]) : [];
  const detail = textIn(objectIn({ issue }, 'issue'), 'message');
  const message = textIn(answer, 'error');
  return {
    message: message === undefined || detail === undefined ? message : `${message}: ${detail}`,
    code: textIn(answer, 'code'),
    param: undefined,
  };
}

export function readSubmitted(body: Buffer): string | undefined {
  return textIn(parseAnswer(body) ?? {}, 'id');
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const state = stateIn(states, textIn(answer, 'status'));
  if (state === undefined) return undefined;
  const output = answer['output'];
  const url: unknown = Array.isArray(output) ? output[0] : undefined;
  const share = amountIn(answer, 'progress');
  const units = reportedUnits(objectIn(answer, 'cost')['credits']);
  return reportOf(state, {
    progress: share === undefined ? undefined : Math.min(1, share) * 100,
    videoUrl: addressIn({ url }, 'url'),
    reason: textIn(answer, 'failure'),
    code: textIn(answer, 'failureCode'),
    reported: units === undefined ? {} : { units },
  });
}
