// What Runway answers. https://docs.dev.runwayml.com
import type { VideoReport } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { addressIn, amountIn, firstIn, objectIn, parseAnswer, textIn } from '../upstream-values.ts';
import { counted, reportOf, stateIn, type StateWords } from '../video/report.ts';

const states: StateWords = {
  pending: 'queued',
  throttled: 'queued', // accepted, and waits for a slot of the account
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Its only word for an empty account, with 400. */
const NO_CREDITS = /^you do not have enough credits\b/i;

export function readRefusal(body: Buffer, status: number): number | undefined {
  return status === 400 && NO_CREDITS.test(readComplaint(body).message ?? '') ? 402 : undefined;
}

export function readComplaint(body: Buffer): UpstreamComplaint {
  const answer = parseAnswer(body) ?? {};
  const detail = textIn(firstIn(answer, 'issues'), 'message');
  const message = textIn(answer, 'error');
  return {
    message: message === undefined || detail === undefined ? message : `${message}: ${detail}`,
    code: textIn(answer, 'code'),
    param: undefined,
  };
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const state = stateIn(states, textIn(answer, 'status'));
  if (state === undefined) return undefined;
  const output = answer['output'];
  const url: unknown = Array.isArray(output) ? output[0] : undefined;
  const share = amountIn(answer, 'progress');
  return reportOf(state, {
    progress: share === undefined ? undefined : Math.min(1, share) * 100,
    videoUrl: addressIn({ url }, 'url'),
    reason: textIn(answer, 'failure'),
    code: textIn(answer, 'failureCode'),
    reported: counted({ units: objectIn(answer, 'cost')['credits'] }),
  });
}
