// What xAI answers. A poll of a task that is not done is 202, with little or nothing in it; one of a video that is there may
// have no state either.
import type { VideoReport } from '../../neutral/video.ts';
import type { UpstreamComplaint } from '../../protocols/protocol.ts';
import { addressIn, amountIn, objectIn, parseAnswer, textIn } from '../upstream-values.ts';
import { counted, reportOf, stateIn, type StateWords } from '../video/report.ts';

const states: StateWords = {
  pending: 'running',
  processing: 'running',
  done: 'succeeded',
  failed: 'failed',
  expired: 'expired',
};

/** Ticks are ten-billionths of a dollar. */
const TICK_DIGITS = 10;
/** Its words for an empty account, with 403 or 429. */
const NO_CREDITS = /\b(?:used all available credits|monthly spending limit|doesn't have any credits)\b/i;

export function readRefusal(body: Buffer, status: number): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  return NO_CREDITS.test(readComplaint(body).message ?? '') ? 402 : undefined;
}

/** `error` is a text, or an object as elsewhere. */
export function readComplaint(body: Buffer): UpstreamComplaint {
  const answer = parseAnswer(body) ?? {};
  const error = objectIn(answer, 'error');
  const code = textIn(error, 'code') ?? textIn(answer, 'code');
  return { message: textIn(error, 'message') ?? textIn(answer, 'error'), code, param: undefined };
}

export function readTask(body: Buffer): VideoReport | undefined {
  const answer = body.length === 0 ? {} : parseAnswer(body);
  if (answer === undefined) return undefined;
  const word = textIn(answer, 'status');
  const isBare = word === undefined && !('error' in answer) && !('code' in answer);
  const video = objectIn(answer, 'video');
  const state = stateIn(states, isBare ? (Object.keys(video).length === 0 ? 'pending' : 'done') : word);
  if (state === undefined) return undefined;
  const isRefused = state.status === 'succeeded' && video['respect_moderation'] === false;
  const { message: reason, code } = readComplaint(body);
  return reportOf(isRefused ? 'refusedContent' : state, {
    progress: amountIn(answer, 'progress'),
    videoUrl: addressIn(video, 'url'),
    reason,
    code: isRefused ? 'content_moderated' : code,
    reported: counted({
      seconds: amountIn(video, 'duration'),
      units: dollarsIn(objectIn(answer, 'usage')['cost_in_usd_ticks']),
    }),
  });
}

function dollarsIn(ticks: unknown): string | undefined {
  if (!Number.isSafeInteger(ticks) || (ticks as number) < 0) return undefined;
  const digits = String(ticks).padStart(TICK_DIGITS + 1, '0');
  return `${digits.slice(0, -TICK_DIGITS)}.${digits.slice(-TICK_DIGITS)}`;
}
