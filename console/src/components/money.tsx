// An amount, with figures that line up.
import { formatMoney } from '../lib/format-money.ts';

export function Money({ amount }: { amount: string }) {
  return <span className="numeric">{formatMoney(amount)}</span>;
}
