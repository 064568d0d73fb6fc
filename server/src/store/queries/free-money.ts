// What a token could hold at this moment: the least of balance, quota, budget and the cap of the member who made it.
import { type Allowance, rolled } from '../ledger/allowance.ts';
import { ACCOUNT_MONEY, TOKEN_MONEY } from '../ledger/money-columns.ts';
import type { HoldResult } from '../ledger/operations.ts';
import type { Store } from '../store.ts';

interface Asked {
  tokenId: string;
  mode: 'live' | 'test';
  at: number;
}

/** How much, and what would refuse more than that. */
export interface LeastMoney {
  amount: bigint;
  refusal: Exclude<HoldResult, 'held'>;
}

export interface TokenLeast extends LeastMoney {
  /** For all that the token has under way. */
  held: bigint;
}

const CAP = ['cap', 'cap_period', 'cap_start', 'cap_used'] as const;

export async function freeMoney(store: Store, asked: Asked): Promise<bigint> {
  return (await leastMoney(store, asked)).amount;
}

export async function leastMoney({ reads }: Store, { tokenId, mode, at }: Asked): Promise<TokenLeast> {
  const row = await reads
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
    .leftJoin('members', 'members.id', 'tokens.member_id')
    .select([...ACCOUNT_MONEY, ...TOKEN_MONEY, ...CAP])
    .where('tokens.id', '=', tokenId)
    .executeTakeFirst();
  if (row === undefined) return { amount: 0n, refusal: 'quota_too_low', held: 0n };
  const free: LeastMoney[] = [];
  const left = (allowance: Allowance): bigint => allowance.limit - rolled(allowance, at).used;
  if (mode === 'live') {
    free.push({ amount: row.balance, refusal: 'balance_too_low' });
    const { budget, budget_period: period, budget_start: start, budget_used: used } = row;
    if (budget !== null) free.push({ amount: left({ limit: budget, period, start, used }), refusal: 'budget_too_low' });
    const { cap, cap_period, cap_start, cap_used } = row;
    if (cap !== null && cap_start !== null && cap_used !== null)
      free.push({
        amount: left({ limit: cap, period: cap_period, start: cap_start, used: cap_used }),
        refusal: 'cap_too_low',
      });
  }
  const { quota: limit, quota_period: period, period_start: start, period_used: used } = row;
  if (limit !== null)
    free.push({
      amount: period === null ? limit - row.used - row.held : left({ limit, period, start, used }),
      refusal: 'quota_too_low',
    });
  const unlimited: LeastMoney = { amount: 2n ** 62n, refusal: 'quota_too_low' };
  const least = free.reduce((one, other) => (other.amount < one.amount ? other : one), free[0] ?? unlimited);
  return { ...least, held: row.held };
}
