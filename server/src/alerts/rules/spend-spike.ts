// An hour in which an account spends many times what it spent in a mean hour of the seven days before.
import { divideRounded, formatAmount } from '../../billing/money.ts';
import { dearHours } from '../../store/queries/alert-facts.ts';
import { type Finding, MOST_FINDINGS, nanoOf, type Rule, threshold } from '../finding.ts';

const DAYS = 7;
const HOURS = 24 * DAYS;
const HUNDRED = 100;

export const spendSpike: Rule = {
  everySeconds: 60,
  async find(context) {
    const { now, currency } = context;
    const factor = BigInt(Math.round(threshold(context, 'factor') * HUNDRED));
    const least = nanoOf(threshold(context, 'amount'));
    const hour = now - (now % 3600);
    const accounts = await dearHours(context.reads, { hour, days: DAYS, least, limit: MOST_FINDINGS });
    return accounts.flatMap(({ id, name, recent, before }): Finding[] => {
      if (recent * BigInt(HUNDRED * HOURS) < before * factor) return [];
      const mean = divideRounded(before, BigInt(HOURS));
      const title = `${name} spends far more than usual`;
      const detail = `${formatAmount(recent)} ${currency} in an hour; a mean hour of the last ${DAYS} days was ${formatAmount(mean)}.`;
      return [{ kind: 'account', subject: id, title, detail }];
    });
  },
};
