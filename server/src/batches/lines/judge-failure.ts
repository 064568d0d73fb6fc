// What a failed attempt means for its line: to be tried again, and when, or its end.
import type { ErrorCode } from '../../errors/codes.ts';
import type { GatewayError } from '../../errors/gateway-error.ts';

export type Judgement =
  | { kind: 'final' }
  /** `counts`: only so many of these are allowed. `pauses`: the other lines of the batch would meet the same. */
  | { kind: 'again'; afterMs: number; counts: boolean; pauses: boolean };

/** Nobody could be asked: the line waits as long as its batch lives. */
const PUT_OFF: ReadonlySet<ErrorCode> = new Set([
  'rate_limit_exceeded',
  'upstream_rate_limited',
  'no_channel_available',
  'overloaded',
]);
const TRIED: ReadonlySet<ErrorCode> = new Set(['upstream_error', 'upstream_timeout', 'internal_error']);
const MOST_TRIES = 3;
const LONGEST_MS = 60_000;

export function judgeFailure(error: GatewayError, { attempt, tries }: { attempt: number; tries: number }): Judgement {
  if (PUT_OFF.has(error.code)) {
    const asked = (error.details.retryAfter ?? 0) * 1000;
    const afterMs = Math.min(LONGEST_MS, Math.max(asked, 500 * 2 ** Math.min(attempt - 1, 7)));
    return { kind: 'again', afterMs, counts: false, pauses: true };
  }
  if (!TRIED.has(error.code) || tries + 1 >= MOST_TRIES) return { kind: 'final' };
  return { kind: 'again', afterMs: Math.min(LONGEST_MS, 1_000 * 2 ** tries), counts: true, pauses: false };
}
