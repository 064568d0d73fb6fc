// A budget of an account that is nearly used up in its running period.
import { formatAmount } from '../../billing/money.ts';
import { rolled } from '../../store/ledger/allowance.ts';
import { usedBudgets } from '../../store/queries/alert-facts.ts';
import { type Finding, MOST_FINDINGS, type Rule, threshold } from '../finding.ts';

export const budgetUsed: Rule = {
  everySeconds: 60,
  async find(context) {
    const permille = Math.round(threshold(context, 'percent') * 10);
    const accounts = await usedBudgets(context.reads, { permille, limit: MOST_FINDINGS });
    return accounts.flatMap(({ id, name, budget, budget_period, budget_start, budget_used }): Finding[] => {
      const kept = { limit: budget, period: budget_period, start: budget_start, used: budget_used };
      const { used } = rolled(kept, context.now);
      if (used * 1000n < budget * BigInt(permille)) return [];
      const percent = Number((used * 100n) / budget);
      const period = budget_period === null ? '' : ` of this ${budget_period}`;
      const title = `${name} has used ${percent} % of its budget${period}`;
      const detail = `It has used ${formatAmount(used)} of ${formatAmount(budget)} ${context.currency}.`;
      return [{ kind: 'account', subject: id, title, detail }];
    });
  },
};
