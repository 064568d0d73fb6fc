// What Vidu answers. Reasons are words; an empty account comes with 400.
import type { VideoReport } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { addressIn, objectIn, parseAnswer, textIn } from '../upstream-values.ts';
import { reportedUnits } from '../video/bill-by-time.ts';
import { failed, queued, reportOf, running, type State, stateIn, succeeded } from '../video/report.ts';

const states: Readonly<Record<string, State>> = {
  created: queued,
  queueing: queued,
  processing: running,
  success: succeeded,
  failed,
};

/** Reason -> the status that it stands for, where the answer's own says something else. */
const statuses: Readonly<Record<string, number>> = {
  CreditInsufficient: 402,
  QuotaExceeded: 429,
  TooManyRequests: 429,
  SystemThrottling: 429,
  ModelUnavailable: 503,
};

export function readRefusal(body: Buffer): number | undefined {
  const { code } = readComplaint(body);
  return code !== undefined && Object.hasOwn(statuses, code) ? statuses[code] : undefined;
}

export function readComplaint(body: Buffer): UpstreamComplaint {
  const answer = parseAnswer(body) ?? {};
  const code = textIn(answer, 'reason') ?? textIn(answer, 'err_code') ?? textIn(answer, 'code');
  return { message: textIn(answer, 'message') ?? textIn(answer, 'err_msg'), code, param: undefined };
}

export function readSubmitted(body: Buffer): string | undefined {
  return textIn(parseAnswer(body) ?? {}, 'task_id');
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const state = stateIn(states, textIn(answer, 'state'));
  if (state === undefined) return undefined;
  const { creations } = answer;
  const first: unknown = Array.isArray(creations) ? creations[0] : undefined;
  const units = reportedUnits(answer['credits']);
  return reportOf(state, {
    videoUrl: addressIn(objectIn({ first }, 'first'), 'url'),
    reason: textIn(answer, 'err_msg'),
    code: textIn(answer, 'err_code'),
    reported: units === undefined ? {} : { units },
  });
}
