// What answers say about rate limits, in the spelling that client libraries read.
import type { LimitUse, SubjectUse } from './rate-store.ts';

/** Of several limits of one kind the caller hears of the one that is nearest. */
export function rateHeaders(uses: readonly SubjectUse[], endpoint: string, now: number): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const kind of ['requests', 'tokens'] as const) {
    const use = nearest(uses.flatMap((one) => one[kind] ?? []));
    if (use === undefined) continue;
    const remaining = String(remainingOf(use));
    headers[`x-ratelimit-limit-${kind}`] = String(use.limit);
    headers[`x-ratelimit-remaining-${kind}`] = remaining;
    headers[`x-ratelimit-reset-${kind}`] = writeDuration(use.resetMs);
    if (!endpoint.startsWith('/v1/messages')) continue;
    headers[`anthropic-ratelimit-${kind}-limit`] = String(use.limit);
    headers[`anthropic-ratelimit-${kind}-remaining`] = remaining;
    headers[`anthropic-ratelimit-${kind}-reset`] = new Date(now + use.resetMs).toISOString();
  }
  return headers;
}

function nearest(uses: LimitUse[]): LimitUse | undefined {
  return uses.reduce<LimitUse | undefined>(
    (least, use) => (least === undefined || remainingOf(use) < remainingOf(least) ? use : least),
    undefined,
  );
}

/** Output is counted when it is known, which may be past the limit. */
function remainingOf({ limit, used }: LimitUse): number {
  return Math.max(0, Math.floor(limit - used));
}

/** `59ms`, `1.5s`, `1m1s`. */
export function writeDuration(milliseconds: number): string {
  const ms = Math.max(0, Math.ceil(milliseconds));
  if (ms < 1000) return `${ms}ms`;
  if (ms < 60_000) return `${ms / 1000}s`;
  return `${Math.floor(ms / 60_000)}m${(ms % 60_000) / 1000}s`;
}
