// Columns that decide how much may be spent: of accounts, and of tokens.
export const BUDGET = ['budget', 'budget_period', 'budget_start', 'budget_used'] as const;
export const ACCOUNT_MONEY = ['balance', ...BUDGET] as const;
export const TOKEN_MONEY = ['quota', 'used', 'held', 'quota_period', 'period_start', 'period_used'] as const;
