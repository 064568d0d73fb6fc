// What Luma answers, by either API.
import type { VideoReport } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { addressIn, firstIn, objectIn, objectsIn, parseAnswer, textIn } from '../upstream-values.ts';
import { reportOf, stateIn, type StateWords } from '../video/report.ts';

const states: StateWords = {
  queued: 'queued',
  pending: 'queued',
  processing: 'running',
  dreaming: 'running',
  completed: 'succeeded',
  failed: 'failed',
};

/** Dream Machine says so with 400. */
const NO_CREDITS = /^insufficient credits\b/i;

export function readRefusal(body: Buffer, status: number): number | undefined {
  return status === 400 && NO_CREDITS.test(readComplaint(body).message ?? '') ? 402 : undefined;
}

/** `detail` is a text, or a list of what is wrong with each field. */
export function readComplaint(body: Buffer): UpstreamComplaint {
  const answer = parseAnswer(body) ?? {};
  if (!Array.isArray(answer['detail']))
    return { message: textIn(answer, 'detail'), code: textIn(answer, 'code'), param: undefined };
  const first = firstIn(answer, 'detail');
  const location = first['loc'];
  const param = Array.isArray(location) ? location.slice(1).join('.') : undefined;
  return { message: textIn(first, 'msg'), code: textIn(first, 'type'), param: param === '' ? undefined : param };
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const state = stateIn(states, textIn(answer, 'state'));
  if (state === undefined) return undefined;
  const video = objectsIn(answer, 'output').find((one) => (textIn(one, 'type') ?? 'video').startsWith('video'));
  return reportOf(state, {
    videoUrl: addressIn(video ?? {}, 'url') ?? addressIn(objectIn(answer, 'assets'), 'video'),
    reason: textIn(answer, 'failure_reason'),
    code: textIn(answer, 'failure_code'),
  });
}
