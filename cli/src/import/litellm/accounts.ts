// Teams, and users who have keys outside of teams, as accounts. LiteLLM counts spend against budgets and has no balances: what
// is left of a total budget becomes the balance, and --credit gives one to all others.
import { modelPattern } from '#contract/values/text.ts';
import { nameOf } from '../names.ts';
import type { NotTaken, PlannedAccount } from '../import-plan.ts';
import { list, type Row, text, truth } from '../sources/source.ts';
import { amountText, readBudget, readRate, remaining } from './limits.ts';

export interface AccountContext {
  label: string;
  /** Nano-units for accounts without a total budget; null = not given. */
  credit: bigint | null;
  notTaken: NotTaken[];
}

export function defaultAccount({ label, credit }: AccountContext): PlannedAccount {
  const externalId = `${label}:default`;
  return {
    externalId,
    fields: { name: label, external_id: externalId },
    balance: credit,
    arithmetic: credit === null ? 'no --credit' : '--credit',
  };
}

export function accountOf(row: Row, kind: 'team' | 'user', context: AccountContext): PlannedAccount {
  const id = text(row[`${kind}_id`]);
  const externalId = `${context.label}:${kind}:${id}`;
  const name = nameOf(text(row[`${kind}_alias`]) || text(row['user_email']), `${kind} ${id}`);
  const say = (reason: string): void => void context.notTaken.push({ kind: 'account', name, reason });
  const budget = readBudget(row);
  const isForGood = budget.maximum !== null && budget.period === null && budget.oddDuration === null;
  if (budget.oddDuration !== null)
    say(
      `its budget resets every ${budget.oddDuration}; here a budget has a day, week, month or no period, so it has none yet`,
    );
  if (budget.period !== null && budget.spend > 0n)
    say(`its spend of ${amountText(budget.spend)} in this ${budget.period} is not carried over`);
  if (isForGood && budget.spend > (budget.maximum ?? 0n)) say('has spent more than its budget; it begins with 0 here');
  return {
    externalId,
    fields: {
      name,
      external_id: externalId,
      status: truth(row['blocked']) ? 'disabled' : 'active',
      models: readModels(row['models'], say),
      rate: readRate(row),
      ...(budget.period !== null && { budget: amountText(budget.maximum ?? 0n), budget_period: budget.period }),
    },
    balance: isForGood ? remaining(budget) : context.credit,
    arithmetic: isForGood
      ? `budget ${amountText(budget.maximum ?? 0n)} - spend ${amountText(budget.spend)}`
      : context.credit === null
        ? 'no --credit'
        : '--credit',
  };
}

const ALL = new Set(['all-proxy-models', 'all-team-models', '*']);

/** null = all. */
export function readModels(written: unknown, say: (reason: string) => void): string[] | null {
  const names = list(written);
  if (names.length === 0 || names.some((name) => ALL.has(name))) return null;
  const own = names.filter((name) => name !== 'no-default-models');
  const models = own.filter((name) => modelPattern.safeParse(name).success);
  if (models.length < own.length) say(`"${own.find((name) => !models.includes(name)) ?? ''}" is no model name here`);
  return models;
}
