// The limits of a token, each by its name: whether it is set, whether a change changes it, and whether it makes it looser.
import { isDeepStrictEqual } from 'node:util';
import type { Token } from '#contract/tokens.ts';
import { coversRange } from '../../access/addresses.ts';

export type LimitedToken = Pick<
  Token,
  'status' | 'models' | 'ip_allow' | 'origins' | 'quota' | 'quota_period' | 'rate' | 'expires_at'
>;

export interface TokenLimit {
  isSet(token: LimitedToken): boolean;
  isChanged(before: LimitedToken, after: LimitedToken): boolean;
  isLooser(before: LimitedToken, after: LimitedToken): boolean;
}

/** The names are those of the fields in the API. */
export const tokenLimits = {
  status: limit(
    ({ status }) => (status === 'disabled' ? status : null),
    () => true,
  ),
  models: limit(({ models }) => models, listCovers(coversModel)),
  ip_allow: limit(
    ({ ip_allow }) => orAny(ip_allow),
    (before, after) => after.every((range) => coversRange(before, range)),
  ),
  origins: limit(({ origins }) => orAny(origins), listCovers(isSame)),
  quota: limit(quotaOf, (before, after) => Number(after.quota) <= Number(before.quota)),
  // One limit in two fields: another period starts to count from zero.
  quota_period: limit(quotaOf, (before, after) => after.quota_period === before.quota_period),
  'rate.rpm': limit(({ rate }) => rate.rpm, isAtMost),
  'rate.tpm': limit(({ rate }) => rate.tpm, isAtMost),
  'rate.concurrency': limit(({ rate }) => rate.concurrency, isAtMost),
  expires_at: limit((token) => token.expires_at, isAtMost),
} satisfies Record<string, TokenLimit>;

export type TokenLimitName = keyof typeof tokenLimits;

export const tokenLimitNames = Object.keys(tokenLimits) as TokenLimitName[];

/** `valueOf`: null = no limit. `covers`: whether what is asked for is within what is allowed. */
function limit<Value>(
  valueOf: (token: LimitedToken) => Value | null,
  covers: (allowed: Value, asked: Value) => boolean,
): TokenLimit {
  return {
    isSet: (token) => valueOf(token) !== null,
    isChanged: (before, after) => !isDeepStrictEqual(valueOf(before), valueOf(after)),
    isLooser(before, after) {
      const [allowed, asked] = [valueOf(before), valueOf(after)];
      return allowed !== null && (asked === null || !covers(allowed, asked));
    },
  };
}

function quotaOf({ quota, quota_period }: LimitedToken) {
  return quota === null ? null : { quota, quota_period };
}

function isAtMost(allowed: number, asked: number): boolean {
  return asked <= allowed;
}

function orAny(list: readonly string[]): readonly string[] | null {
  return list.length === 0 ? null : list;
}

function listCovers(covers: (allowed: string, asked: string) => boolean) {
  return (before: readonly string[], after: readonly string[]): boolean =>
    after.every((asked) => before.some((allowed) => covers(allowed, asked)));
}

function isSame(allowed: string, asked: string): boolean {
  return allowed === asked;
}

function coversModel(allowed: string, asked: string): boolean {
  return allowed.endsWith('*') ? asked.startsWith(allowed.slice(0, -1)) : allowed === asked;
}
