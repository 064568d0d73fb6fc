// What an upstream of family beta answers: to a submit, and about a task. Failures come with status 200 too.
import type { VideoProgress, VideoReport } from '../../neutral/video.ts';
import { addressIn, amountIn, type Answer, objectIn, parseAnswer, textIn } from '../upstream-values.ts';
import { statusOfCode } from '../refusal-status.ts';
import type { SubmittedLately, VideoPlan } from '../video-provider.ts';

interface State {
  status: VideoProgress;
  progress: number;
  /** Why it failed, when the upstream does not say. */
  reason?: string;
}

const NO_REASON = 'The upstream failed the task without giving a reason.';
const queued: State = { status: 'queued', progress: 10 };
const running: State = { status: 'in_progress', progress: 50 };
const cancelled: State = { status: 'failed', progress: 100, reason: 'The task was cancelled.' };

/** A status that is not here says nothing. */
const states: Record<string, State> = {
  queued,
  pending: queued,
  running,
  processing: running,
  succeeded: { status: 'succeeded', progress: 100 },
  failed: { status: 'failed', progress: 100 },
  cancelled,
  canceled: cancelled,
  expired: { status: 'failed', progress: 100, reason: 'The task expired before it was done.' },
};

export function readSubmitted(body: Buffer): string | undefined {
  return textIn(parseAnswer(body) ?? {}, 'id');
}

/** An answer of success may wrap an error instead of an id. */
export function readRefusal(body: Buffer, status: number): number | undefined {
  if (status >= 300) return undefined; // such statuses are right
  const answer = parseAnswer(body) ?? {};
  const code = textIn(answer, 'id') === undefined ? textIn(objectIn(answer, 'error'), 'code') : undefined;
  return code === undefined ? undefined : statusOfCode(code);
}

/** What a task repeats of what was asked for; -1 and `adaptive` leave a choice to the model, and are reported as what it chose. */
export function repeatedOf(task: Answer): VideoPlan['sent'] {
  const seed = amountIn(task, 'seed');
  const duration = amountIn(task, 'duration');
  const frames = amountIn(task, 'frames');
  const ratio = textIn(task, 'ratio');
  const resolution = textIn(task, 'resolution')?.toLowerCase();
  return {
    ...(seed !== undefined && { seed }),
    ...(duration !== undefined && duration > 0 && { duration }),
    ...(frames !== undefined && frames > 0 && { frames }),
    ...(ratio !== undefined && ratio !== 'adaptive' && { ratio }),
    ...(resolution !== undefined && { resolution }),
    ...(task['service_tier'] === 'flex' && { isFlex: true }),
  };
}

/** Of the list of tasks; an item that does not say what is needed is left out. */
export function readRecent(body: Buffer): SubmittedLately[] {
  const items = parseAnswer(body)?.['items'];
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) => {
    const task = objectIn({ item }, 'item');
    const [upstreamId, model, createdAt] = [textIn(task, 'id'), textIn(task, 'model'), amountIn(task, 'created_at')];
    if (upstreamId === undefined || model === undefined || createdAt === undefined) return [];
    return [{ upstreamId, model, createdAt, asked: repeatedOf(task) }];
  });
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const word = textIn(answer, 'status')?.toLowerCase() ?? '';
  const state = Object.hasOwn(states, word) ? states[word] : undefined;
  if (state === undefined) return undefined;
  const report: VideoReport = {
    status: state.status,
    progress: state.progress,
    videoUrl: undefined,
    failReason: undefined,
    failCode: undefined,
    reported: readUsage(objectIn(answer, 'usage')),
    isUnknown: false,
  };
  if (state.status === 'succeeded') return { ...report, videoUrl: addressIn(objectIn(answer, 'content'), 'video_url') };
  return state.status === 'failed'
    ? { ...report, ...failure(objectIn(answer, 'error'), state.reason ?? NO_REASON) }
    : report;
}

function failure(error: Answer, reason: string): Pick<VideoReport, 'failReason' | 'failCode'> {
  const failCode = textIn(error, 'code');
  return { failReason: textIn(error, 'message') ?? failCode ?? reason, failCode };
}

/** Input counts nothing here, so the total and the completion are the same; the first that counts anything is taken. */
function readUsage(usage: Answer): VideoReport['reported'] {
  const counts = ['total_tokens', 'completion_tokens']
    .map((name) => amountIn(usage, name))
    .filter((count) => Number.isInteger(count));
  const tokens = counts.find((count) => count !== 0) ?? counts[0];
  return tokens === undefined ? {} : { tokens };
}
