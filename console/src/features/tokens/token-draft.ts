// The form of a token as people type it, and what of it goes to the API.
import type { Token } from '#contract/tokens.ts';
import { fromLocalInput, toLocalInput } from '../../lib/format-time.ts';
import { amountOf, noRate, type Period, type RateDraft, rateDraftOf, rateOf } from '../../lib/limits.ts';

export interface TokenDraft extends RateDraft {
  name: string;
  accountId: string | null;
  mode: 'live' | 'test';
  /** null = every model. */
  models: string[] | null;
  group: string | null;
  addresses: string[];
  origins: string[];
  quota: string;
  quotaPeriod: Period | null;
  fitBalance: boolean;
  strict: boolean;
  storeBodies: Token['options']['store_bodies'];
  /** By the minute. */
  expires: string;
  /** To the second, as it is set now. */
  expiresNow: number | null;
}

export function newDraft(accountId: string | null): TokenDraft {
  return {
    name: '',
    accountId,
    mode: 'live',
    models: null,
    group: null,
    addresses: [],
    origins: [],
    quota: '',
    quotaPeriod: null,
    fitBalance: false,
    strict: false,
    storeBodies: 'off',
    ...noRate,
    expires: '',
    expiresNow: null,
  };
}

export function draftOf(token: Token): TokenDraft {
  return {
    name: token.name,
    accountId: token.account_id,
    mode: token.mode,
    models: token.models,
    group: token.group,
    addresses: token.ip_allow,
    origins: token.origins,
    quota: token.quota ?? '',
    quotaPeriod: token.quota_period,
    fitBalance: token.options.fit_balance,
    strict: token.options.strict,
    storeBodies: token.options.store_bodies,
    ...rateDraftOf(token.rate),
    expires: writeExpiry(token.expires_at),
    expiresNow: token.expires_at,
  };
}

/** Not yet checked: the contract's schema does that. */
export function bodyOf(draft: TokenDraft) {
  const quota = amountOf(draft.quota);
  return {
    name: draft.name.trim(),
    account_id: draft.accountId ?? '',
    mode: draft.mode,
    models: draft.models,
    group: draft.group,
    ip_allow: draft.addresses,
    origins: draft.origins,
    quota,
    quota_period: quota === null ? null : draft.quotaPeriod,
    rate: rateOf(draft),
    options: { fit_balance: draft.fitBalance, strict: draft.strict, store_bodies: draft.storeBodies },
    expires_at: expiryOf(draft),
  };
}

function writeExpiry(at: number | null): string {
  return at === null ? '' : toLocalInput(at);
}

/** Left alone, it keeps its seconds. */
function expiryOf({ expires, expiresNow }: TokenDraft): number | null {
  if (expires === writeExpiry(expiresNow)) return expiresNow;
  return expires === '' ? null : fromLocalInput(expires);
}
