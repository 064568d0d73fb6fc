// What a token could hold at this moment: the least of balance, quota and budget.
import { rolled } from '../ledger/allowance.ts';
import { ACCOUNT_MONEY, TOKEN_MONEY } from '../ledger/money-columns.ts';
import type { Store } from '../store.ts';

export async function freeMoney(
  { reads }: Store,
  { tokenId, mode, at }: { tokenId: string; mode: 'live' | 'test'; at: number },
): Promise<bigint> {
  const row = await reads
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
    .select([...ACCOUNT_MONEY, ...TOKEN_MONEY])
    .where('tokens.id', '=', tokenId)
    .executeTakeFirst();
  if (row === undefined) return 0n;
  const free: bigint[] = [];
  if (mode === 'live') {
    free.push(row.balance);
    const { budget: limit, budget_period: period, budget_start: start, budget_used: used } = row;
    if (limit !== null) free.push(limit - rolled({ limit, period, start, used }, at).used);
  }
  const { quota: limit, quota_period: period, period_start: start, period_used: used } = row;
  if (limit !== null && period === null) free.push(limit - row.used - row.held);
  if (limit !== null && period !== null) free.push(limit - rolled({ limit, period, start, used }, at).used);
  return free.reduce((least, amount) => (amount < least ? amount : least), free[0] ?? 2n ** 62n);
}
