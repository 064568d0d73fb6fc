// An amount with its currency, two to four decimals, and the exact figure for those who point at it.
import { formatAmount, formatMoney } from '../lib/format-money.ts';

export function Amount({ amount, currency }: { amount: string; currency: string }) {
  return (
    <span className="numeric" title={`${formatMoney(amount)} ${currency}`}>
      {formatAmount(amount)} {currency}
    </span>
  );
}
