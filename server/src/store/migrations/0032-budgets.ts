// Quotas of tokens and budgets of accounts that start again with each day, week or month.
import type { Migration } from './migration.ts';

export const budgets: Migration = {
  name: '0032-budgets',
  statements: ({ money, time }) => [
    `alter table tokens add column quota_period text`,
    `alter table tokens add column period_start ${time} not null default 0`,
    `alter table tokens add column period_used ${money} not null default 0`,
    `alter table accounts add column budget ${money}`,
    `alter table accounts add column budget_period text`,
    `alter table accounts add column budget_start ${time} not null default 0`,
    `alter table accounts add column budget_used ${money} not null default 0`,
  ],
};
