// What an upstream of family alpha answers: to a submit, and about a task. Failures come with status 200 too.
import type { VideoProgress, VideoReport } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { statusOfCode } from '../refusal-status.ts';
import { addressIn, amountIn, type Answer, objectIn, parseAnswer, textIn } from '../upstream-values.ts';
import type { SubmittedLately } from '../video-provider.ts';

interface State {
  status: VideoProgress;
  progress: number;
  /** Why it failed, when the upstream does not say. */
  reason?: string;
}

/** A day: what is said to be longer is an error, and nobody shall pay for it. */
const MOST_SECONDS = 86_400;
const NO_REASON = 'The upstream failed the task without giving a reason.';

/** A status that is not here says nothing. */
const states: Record<string, State> = {
  PENDING: { status: 'queued', progress: 20 },
  SUSPENDED: { status: 'queued', progress: 20 },
  RUNNING: { status: 'in_progress', progress: 30 },
  SUCCEEDED: { status: 'succeeded', progress: 100 },
  FAILED: { status: 'failed', progress: 100 },
  CANCELED: { status: 'failed', progress: 100, reason: 'The task was cancelled.' },
  CANCELLED: { status: 'failed', progress: 100, reason: 'The task was cancelled.' },
  UNKNOWN: { status: 'failed', progress: 100, reason: 'The upstream does not know the task.' },
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
  const rows = parseAnswer(body)?.['data'];
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) => {
    const task = objectIn({ row }, 'row');
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
  const word = textIn(output, 'task_status')?.toUpperCase() ?? '';
  const state = Object.hasOwn(states, word) ? states[word] : undefined;
  if (state === undefined) return undefined;
  const report: VideoReport = {
    status: state.status,
    progress: state.progress,
    videoUrl: undefined,
    failReason: undefined,
    failCode: undefined,
    reported: readUsage(objectIn(answer, 'usage')),
    isUnknown: word === 'UNKNOWN',
  };
  if (state.status === 'succeeded') return { ...report, videoUrl: addressIn(output, 'video_url') };
  return state.status === 'failed' ? { ...report, ...failure(answer, output, state.reason ?? NO_REASON) } : report;
}

function failure(answer: Answer, output: Answer, reason: string): Pick<VideoReport, 'failReason' | 'failCode'> {
  const failCode = textIn(output, 'code') ?? textIn(answer, 'code');
  return { failReason: textIn(output, 'message') ?? textIn(answer, 'message') ?? failCode ?? reason, failCode };
}

/** Edits are counted in fractions of a second; older models have other names for the length. */
function readUsage(usage: Answer): VideoReport['reported'] {
  const lengths = ['output_video_duration', 'duration', 'video_duration'].map((name) => amountIn(usage, name));
  const seconds = lengths.find((length) => length !== undefined && length > 0 && length <= MOST_SECONDS);
  const resolution = /^(\d+)P?$/i.exec(textIn(usage, 'SR') ?? String(amountIn(usage, 'SR')))?.[1];
  return {
    ...(seconds !== undefined && { milliseconds: Math.round(seconds * 1000) }),
    ...(resolution !== undefined && { resolution: `${resolution}P` }),
  };
}
