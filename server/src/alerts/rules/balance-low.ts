// A balance that does not last: by what the account spent in the last 24 hours, or below a fixed amount.
import { formatAmount } from '../../billing/money.ts';
import { lowBalances } from '../../store/queries/alert-facts.ts';
import { type Finding, MOST_FINDINGS, nanoOf, type Rule, threshold } from '../finding.ts';

const DAY = 86_400;

export const balanceLow: Rule = {
  everySeconds: 60,
  async find(context) {
    const days = threshold(context, 'days');
    const accounts = await lowBalances(context.reads, {
      since: context.now - DAY,
      times: days,
      below: nanoOf(threshold(context, 'amount')),
      limit: MOST_FINDINGS,
    });
    return accounts.map(({ id, name, balance, spent }): Finding => {
      const isEmpty = balance <= 0n;
      const title = isEmpty ? `${name} has no balance left` : `The balance of ${name} is low`;
      const left = `${formatAmount(balance)} ${context.currency} left, ${formatAmount(spent)} spent in 24 hours.`;
      const detail = isEmpty ? `Its requests are refused. ${left}` : left;
      return { kind: 'account', subject: id, title, detail };
    });
  },
};
