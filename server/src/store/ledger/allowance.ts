// How much may be spent in a day, a week or a month. Whatever was held in the running period counts in it, and what of a hold
// was not charged is given back, as long as that period lasts; a new one begins by itself.
export type Period = 'day' | 'week' | 'month';

export interface Allowance {
  limit: bigint;
  /** null = it never resets. */
  period: Period | null;
  /** Unix seconds: nothing from before counts. */
  start: number;
  /** Held and charged since then. */
  used: bigint;
}

const DAY = 86_400;
/** 1970 began on a Thursday; weeks begin on Mondays. */
const FIRST_MONDAY = 4 * DAY;

/** When the period that holds this time began, in UTC. */
export function periodStart(period: Period, at: number): number {
  if (period === 'day') return Math.floor(at / DAY) * DAY;
  if (period === 'week') return Math.floor((at - FIRST_MONDAY) / (7 * DAY)) * 7 * DAY + FIRST_MONDAY;
  const date = new Date(at * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000;
}

/** The allowance as it is at that time. */
export function rolled(allowance: Allowance, at: number): Allowance {
  const { period, start } = allowance;
  const begun = period === null ? start : periodStart(period, at);
  return begun > start ? { ...allowance, start: begun, used: 0n } : allowance;
}

/** undefined when it does not allow that much more. The time is not before its start: see `countedFrom`. */
export function take(allowance: Allowance, amount: bigint, at: number): Allowance | undefined {
  const now = rolled(allowance, at);
  const used = now.used + amount;
  return used > now.limit ? undefined : { ...now, used };
}

/**
 * Since when a hold of this time counts. Another process, whose clock is ahead, may have begun a period that is still to come
 * here: the hold counts in that one, or nothing would limit it.
 */
export function countedFrom(at: number, ...allowances: (Allowance | undefined)[]): number {
  return Math.max(at, ...allowances.map((allowance) => allowance?.start ?? at));
}

/** A hold has ended with this charge; what was held before the running period does not count in it. */
export function finish(
  allowance: Allowance,
  hold: { amount: bigint; created_at: number },
  { charged, at }: { charged: bigint; at: number },
): Allowance {
  const now = rolled(allowance, at);
  if (hold.created_at < now.start) return now;
  const used = now.used + charged - hold.amount;
  return { ...now, used: used < 0n ? 0n : used };
}
