// The form of an account as people type it, and what of it goes to the API.
import type { Account } from '#contract/accounts.ts';
import { amountOf, noRate, type Period, type RateDraft, rateDraftOf, rateOf } from '../../lib/limits.ts';

export interface AccountDraft extends RateDraft {
  name: string;
  group: string;
  /** null = every model. */
  models: string[] | null;
  budget: string;
  budgetPeriod: Period | null;
}

export function draftOf(account: Account | undefined): AccountDraft {
  return {
    name: account?.name ?? '',
    group: account?.group ?? 'default',
    models: account?.models ?? null,
    budget: account?.budget ?? '',
    budgetPeriod: account?.budget_period ?? null,
    ...(account === undefined ? noRate : rateDraftOf(account.rate)),
  };
}

/** Not yet checked: the contract's schema does that. */
export function bodyOf(draft: AccountDraft) {
  const budget = amountOf(draft.budget);
  return {
    name: draft.name.trim(),
    group: draft.group,
    models: draft.models,
    budget,
    budget_period: budget === null ? null : draft.budgetPeriod,
    rate: rateOf(draft),
  };
}
