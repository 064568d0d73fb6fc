// The form of a token as people type it, and what of it goes to the API.
import type { Token } from '#contract/tokens.ts';
import { fromLocalInput, toLocalInput } from '../../lib/format-time.ts';

export interface TokenDraft {
  name: string;
  accountId: string | null;
  mode: 'live' | 'test';
  /** null = every model. */
  models: string[] | null;
  group: string | null;
  addresses: string[];
  quota: string;
  rpm: number | string;
  tpm: number | string;
  concurrency: number | string;
  expires: string;
}

export function newDraft(accountId: string | null): TokenDraft {
  return {
    name: '',
    accountId,
    mode: 'live',
    models: null,
    group: null,
    addresses: [],
    quota: '',
    rpm: '',
    tpm: '',
    concurrency: '',
    expires: '',
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
    quota: token.quota ?? '',
    rpm: token.rate.rpm ?? '',
    tpm: token.rate.tpm ?? '',
    concurrency: token.rate.concurrency ?? '',
    expires: token.expires_at === null ? '' : toLocalInput(token.expires_at),
  };
}

/** Not yet checked: the contract's schema does that. */
export function bodyOf(draft: TokenDraft) {
  return {
    name: draft.name.trim(),
    account_id: draft.accountId ?? '',
    mode: draft.mode,
    models: draft.models,
    group: draft.group,
    ip_allow: draft.addresses,
    quota: draft.quota.trim() === '' ? null : draft.quota.trim(),
    rate: { rpm: limit(draft.rpm), tpm: limit(draft.tpm), concurrency: limit(draft.concurrency) },
    expires_at: draft.expires === '' ? null : fromLocalInput(draft.expires),
  };
}

function limit(value: number | string): number | null {
  return value === '' ? null : Number(value);
}
