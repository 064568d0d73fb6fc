// What an upstream of family alpha answers: to a submit, and about a task. Failures come with status 200 too.
import type { VideoReport } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { statusOfCode } from '../refusal-status.ts';
import { addressIn, amountIn, type Answer, objectIn, objectsIn, parseAnswer, textIn } from '../upstream-values.ts';
import { counted, failedFor, reportOf, type State, stateIn, type StateWords } from '../video/report.ts';
import type { SubmittedLately } from '../video-provider.ts';

/** A day: what is said to be longer is an error, and nobody shall pay for it. */
const MOST_SECONDS = 86_400;
const waiting: State = { status: 'queued', progress: 20 };

const states: StateWords = {
  pending: waiting,
  suspended: waiting,
  running: { status: 'in_progress', progress: 30 },
  succeeded: 'succeeded',
  failed: failedFor('The upstream failed the task without giving a reason.'),
  canceled: 'cancelled',
  cancelled: 'cancelled',
  unknown: failedFor('The upstream does not know the task.'),
};

/** An answer of success that carries a code is an error. */
export function readSubmitted(body: Buffer): string | undefined {
  const answer = parseAnswer(body);
  if (answer === undefined || textIn(answer, 'code') !== undefined) return undefined;
  return textIn(objectIn(answer, 'output'), 'task_id');
}

/** With an id beside the code nobody knows what the upstream meant: that is no refusal. */
export function readRefusal(body: Buffer, status: number): number | undefined {
  if (status >= 300) return undefined; // such statuses are right
  const answer = parseAnswer(body) ?? {};
  const code = textIn(objectIn(answer, 'output'), 'task_id') === undefined ? textIn(answer, 'code') : undefined;
  return code === undefined ? undefined : statusOfCode(code);
}

/** Of the list of tasks, which tells nothing of what was asked for but the model. */
export function readRecent(body: Buffer): SubmittedLately[] {
  return objectsIn(parseAnswer(body) ?? {}, 'data').flatMap((task) => {
    const [upstreamId, model] = [textIn(task, 'task_id'), textIn(task, 'model_name')];
    const made = amountIn(task, 'gmt_create');
    if (upstreamId === undefined || model === undefined || made === undefined) return [];
    return [{ upstreamId, model, createdAt: Math.floor(made / 1000), asked: {} }];
  });
}

export function readComplaint(body: Buffer): UpstreamComplaint {
  const answer = parseAnswer(body) ?? {};
  return { message: textIn(answer, 'message'), code: textIn(answer, 'code'), param: undefined };
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const output = objectIn(answer, 'output');
  const state = stateIn(states, textIn(output, 'task_status'));
  if (state === undefined) return undefined;
  const report = reportOf(state, {
    videoUrl: addressIn(output, 'video_url'),
    reason: textIn(output, 'message') ?? textIn(answer, 'message'),
    code: textIn(output, 'code') ?? textIn(answer, 'code'),
    reported: readUsage(objectIn(answer, 'usage')),
  });
  return { ...report, isUnknown: state === states['unknown'] };
}

/** Edits are counted in fractions of a second; older models have other names for the length. */
function readUsage(usage: Answer): VideoReport['reported'] {
  const lengths = ['output_video_duration', 'duration', 'video_duration'].map((name) => amountIn(usage, name));
  const seconds = lengths.find((length) => length !== undefined && length > 0 && length <= MOST_SECONDS);
  const resolution = /^(\d+)P?$/i.exec(textIn(usage, 'SR') ?? String(amountIn(usage, 'SR')))?.[1];
  return counted({ seconds, resolution: resolution && `${resolution}P` });
}
