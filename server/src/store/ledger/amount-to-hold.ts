// How much is held for a call whose answer may come to more than is usual: that much more where there is little money left, so
// that parallel calls cannot take what is not there.
import { rolled } from './allowance.ts';
import type { LedgerState, TokenMoney } from './ledger-state.ts';
import type { HoldOperation } from './operations.ts';

interface HeldFrom {
  balance: bigint;
  token: TokenMoney;
}

/** What a call usually comes to, and all that it can come to, where that is more. */
export interface Asked {
  amount: bigint;
  most?: bigint | undefined;
}

/** `free`: the least of what balance, quota, budget and cap leave. `held`: for all that the token has under way. */
export function amountWith({ amount, most }: Asked, { free, held }: { free: bigint; held: bigint }): bigint {
  if (most === undefined || amount <= 0n || most <= amount) return amount;
  return free < most + (held * most) / amount ? most : amount;
}

/**
 * As much as is usual while there is enough for the whole of this call and of all that the token has under way, taken as
 * calls of this kind; else all that the call can come to.
 */
export function amountToHold(
  { budgets, caps }: Pick<LedgerState, 'budgets' | 'caps'>,
  { hold, most }: HoldOperation,
  { balance, token }: HeldFrom,
): bigint {
  const { amount, account_id, mode, created_at } = hold;
  if (most === undefined || amount <= 0n || most <= amount) return amount;
  const isLive = mode !== 'test';
  const shared = isLive ? [budgets.get(account_id), caps.get(token.memberId ?? '')] : [];
  const allowances = [token.allowance, ...shared].flatMap((one) => one ?? []);
  const free = [
    ...(isLive ? [balance] : []),
    ...(token.quota === null ? [] : [token.quota - token.used - token.held]),
    ...allowances.map((allowance) => allowance.limit - rolled(allowance, created_at).used),
  ];
  const [first, ...others] = free;
  if (first === undefined) return amount;
  const least = others.reduce((one, other) => (other < one ? other : one), first);
  return amountWith({ amount, most }, { free: least, held: token.held });
}
