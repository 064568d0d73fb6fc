// What an upstream of family beta answers: to a submit, and about a task. Failures come with status 200 too.
import type { VideoReport } from '../../neutral/video.ts';
import { addressIn, amountIn, type Answer, objectIn, objectsIn, parseAnswer, textIn } from '../upstream-values.ts';
import { statusOfCode } from '../refusal-status.ts';
import { failedFor, reportOf, stateIn, type StateWords } from '../video/report.ts';
import type { SubmittedLately, VideoPlan } from '../video-provider.ts';

const states: StateWords = {
  queued: 'queued',
  pending: 'queued',
  running: 'running',
  processing: 'running',
  succeeded: 'succeeded',
  failed: failedFor('The upstream failed the task without giving a reason.'),
  cancelled: 'cancelled',
  canceled: 'cancelled',
  expired: 'expired',
};

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
  return objectsIn(parseAnswer(body) ?? {}, 'items').flatMap((task) => {
    const [upstreamId, model, createdAt] = [textIn(task, 'id'), textIn(task, 'model'), amountIn(task, 'created_at')];
    if (upstreamId === undefined || model === undefined || createdAt === undefined) return [];
    return [{ upstreamId, model, createdAt, asked: repeatedOf(task) }];
  });
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = parseAnswer(body) ?? {};
  const state = stateIn(states, textIn(answer, 'status'));
  if (state === undefined) return undefined;
  const error = objectIn(answer, 'error');
  return reportOf(state, {
    videoUrl: addressIn(objectIn(answer, 'content'), 'video_url'),
    reason: textIn(error, 'message'),
    code: textIn(error, 'code'),
    reported: readUsage(objectIn(answer, 'usage')),
  });
}

/** Input counts nothing here, so the total and the completion are the same; the first that counts anything is taken. */
function readUsage(usage: Answer): VideoReport['reported'] {
  const counts = ['total_tokens', 'completion_tokens']
    .map((name) => amountIn(usage, name))
    .filter((count) => Number.isInteger(count));
  const tokens = counts.find((count) => count !== 0) ?? counts[0];
  return tokens === undefined ? {} : { tokens };
}
