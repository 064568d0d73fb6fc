// What Vidu answers. Reasons are words; an empty account comes with 400.
import type { VideoReport } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { addressIn, firstIn, parseAnswer, textIn } from '../upstream-values.ts';
import { counted, reportOf, stateIn, type StateWords } from '../video/report.ts';

const states: StateWords = {
  created: 'queued',
  queueing: 'queued',
  processing: 'running',
  success: 'succeeded',
  failed: 'failed',
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

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const state = stateIn(states, textIn(answer, 'state'));
  if (state === undefined) return undefined;
  return reportOf(state, {
    videoUrl: addressIn(firstIn(answer, 'creations'), 'url'),
    reason: textIn(answer, 'err_msg'),
    code: textIn(answer, 'err_code'),
    reported: counted({ units: answer['credits'] }),
  });
}
