// An amount with its sign: what it does to a balance.
import { formatMoney } from '../lib/format-money.ts';

export function SignedMoney({ amount }: { amount: string }) {
  const isMore = !amount.startsWith('-') && Number(amount) !== 0;
  return (
    <span className="numeric" data-sign={isMore ? 'plus' : undefined}>
      {isMore ? '+' : ''}
      {formatMoney(amount)}
    </span>
  );
}
