// An amount, with figures that line up.
import { formatMoney, formatMoneyShort } from '../lib/format-money.ts';

export function Money({ amount }: { amount: string }) {
  return <span className="numeric">{formatMoney(amount)}</span>;
}

/** Two decimals or the first digits of a small amount; the exact one for those who point at it. */
export function ShortMoney({ amount }: { amount: string }) {
  return (
    <span className="numeric" title={formatMoney(amount)}>
      {formatMoneyShort(Number(amount))}
    </span>
  );
}
