// Members may make the limits of a token that an operator made stricter, never looser: they are part of what the operator
// allows the account (contract-2 10).
import type { Token } from '#contract/tokens.ts';
import { coversRange } from '../access/addresses.ts';

type Limits = Pick<
  Token,
  'status' | 'models' | 'ip_allow' | 'origins' | 'quota' | 'quota_period' | 'rate' | 'expires_at'
>;

/** The first field that the change makes looser; undefined: none. */
export function loosenedLimit(before: Limits, after: Limits): string | undefined {
  if (before.status === 'disabled' && after.status === 'enabled') return 'status';
  if (isWider(before.models, after.models, coversModel)) return 'models';
  if (isWider(orAny(before.ip_allow), orAny(after.ip_allow), (range, asked) => coversRange([range], asked)))
    return 'ip_allow';
  if (isWider(orAny(before.origins), orAny(after.origins), isSame)) return 'origins';
  if (isHigher(before.quota, after.quota)) return 'quota';
  // Another period starts to count from zero.
  if (before.quota !== null && before.quota_period !== after.quota_period) return 'quota_period';
  for (const name of ['rpm', 'tpm', 'concurrency'] as const)
    if (isHigher(before.rate[name], after.rate[name])) return `rate.${name}`;
  return isHigher(before.expires_at, after.expires_at) ? 'expires_at' : undefined;
}

/** null = no limit. */
function isHigher(before: string | number | null, after: string | number | null): boolean {
  return before !== null && (after === null || Number(after) > Number(before));
}

/** null = any. */
function isWider(
  before: readonly string[] | null,
  after: readonly string[] | null,
  covers: (allowed: string, asked: string) => boolean,
): boolean {
  if (before === null) return false;
  return after === null || !after.every((asked) => before.some((allowed) => covers(allowed, asked)));
}

function orAny(list: readonly string[]): readonly string[] | null {
  return list.length === 0 ? null : list;
}

function isSame(allowed: string, asked: string): boolean {
  return allowed === asked;
}

function coversModel(allowed: string, asked: string): boolean {
  return allowed.endsWith('*') ? asked.startsWith(allowed.slice(0, -1)) : allowed === asked;
}
