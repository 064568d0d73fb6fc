// The form of a token as a member types it, and what of it goes to the API.
import type { PortalToken } from '#contract/portal.ts';
import { fromLocalInput, toLocalInput } from '../../lib/format-time.ts';
import { amountOf, noRate, type Period, type RateDraft, rateDraftOf, rateOf } from '../../lib/limits.ts';

export interface TokenDraft extends RateDraft {
  name: string;
  mode: 'live' | 'test';
  /** Empty = every model that the account may use. */
  models: string[];
  addresses: string[];
  origins: string[];
  quota: string;
  quotaPeriod: Period | null;
  /** By the minute. */
  expires: string;
}

/** undefined = a new token. */
export function draftOf(token: PortalToken | undefined): TokenDraft {
  return {
    name: token?.name ?? '',
    mode: token?.mode ?? 'live',
    models: token?.models ?? [],
    addresses: token?.ip_allow ?? [],
    origins: token?.origins ?? [],
    quota: token?.quota ?? '',
    quotaPeriod: token?.quota_period ?? null,
    ...(token === undefined ? noRate : rateDraftOf(token.rate)),
    expires: expiryText(token),
  };
}

/** Not yet checked: the contract's schema does that. Left alone, the end keeps its seconds. */
export function bodyOf(draft: TokenDraft, before: PortalToken | undefined) {
  const quota = amountOf(draft.quota);
  const expiresAt = draft.expires === '' ? null : fromLocalInput(draft.expires);
  return {
    name: draft.name.trim(),
    ...(before === undefined && { mode: draft.mode }),
    models: draft.models.length === 0 ? null : draft.models,
    ip_allow: draft.addresses,
    origins: draft.origins,
    quota,
    quota_period: quota === null ? null : draft.quotaPeriod,
    rate: rateOf(draft),
    expires_at: before !== undefined && draft.expires === expiryText(before) ? before.expires_at : expiresAt,
  };
}

function expiryText(token: PortalToken | undefined): string {
  return token === undefined || token.expires_at === null ? '' : toLocalInput(token.expires_at);
}
