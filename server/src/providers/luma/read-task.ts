// What Luma answers, by either API.
import type { VideoReport } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { addressIn, objectIn, parseAnswer, textIn } from '../upstream-values.ts';
import { failed, queued, reportOf, running, type State, stateIn, succeeded } from '../video/report.ts';

const states: Readonly<Record<string, State>> = {
  queued,
  pending: queued,
  processing: running,
  dreaming: running,
  completed: succeeded,
  failed,
};

/** Dream Machine says so with 400. */
const NO_CREDITS = /^insufficient credits\b/i;

export function readRefusal(body: Buffer, status: number): number | undefined {
  return status === 400 && NO_CREDITS.test(readComplaint(body).message ?? '') ? 402 : undefined;
}

/** `detail` is a text, or a list of what is wrong with each field. */
export function readComplaint(body: Buffer): UpstreamComplaint {
  const answer = parseAnswer(body) ?? {};
  const { detail } = answer;
  if (!Array.isArray(detail))
    return { message: textIn(answer, 'detail'), code: textIn(answer, 'code'), param: undefined };
  const first = objectIn({ first: detail[0] as unknown }, 'first');
  const location = first['loc'];
  const param = Array.isArray(location) ? location.slice(1).join('.') : undefined;
  return { message: textIn(first, 'msg'), code: textIn(first, 'type'), param: param === '' ? undefined : param };
}

export function readSubmitted(body: Buffer): string | undefined {
  return textIn(parseAnswer(body) ?? {}, 'id');
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const state = stateIn(states, textIn(answer, 'state'));
  if (state === undefined) return undefined;
  const { output } = answer;
  const outputs = Array.isArray(output) ? output.map((one: unknown) => objectIn({ one }, 'one')) : [];
  const video = outputs.find((one) => (textIn(one, 'type') ?? 'video').startsWith('video'));
  return reportOf(state, {
    videoUrl: addressIn(video ?? {}, 'url') ?? addressIn(objectIn(answer, 'assets'), 'video'),
    reason: textIn(answer, 'failure_reason'),
    code: textIn(answer, 'failure_code'),
  });
}
