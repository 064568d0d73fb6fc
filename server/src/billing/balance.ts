// What the holder of a token may know of its money: the token's own limits, its account's balance, and what was spent.
import { type Clock, unixSeconds } from '../shared/clock.ts';
import { rolled } from '../store/ledger/allowance.ts';
import { findAccount } from '../store/queries/accounts.ts';
import { findToken } from '../store/queries/tokens.ts';
import { listUsage } from '../store/queries/usage.ts';
import type { Reads } from '../store/store.ts';

export interface TokenBalance {
  name: string;
  /** undefined = no limit. */
  quota: bigint | undefined;
  /** Charged: in the running period where the quota has one, else in the token's whole life. */
  used: bigint;
  /** What the quota still allows. */
  remaining: bigint | undefined;
  expiresAt: number | undefined;
  /** undefined = all. */
  models: string[] | undefined;
  rate: { rpm?: number; tpm?: number; concurrency?: number };
}

export interface AccountBalance {
  /** Free: open holds are taken off. */
  balance: bigint;
  budget: bigint | undefined;
  budgetUsed: bigint;
}

export interface BalanceDependencies {
  reads: Reads;
  clock: Clock;
  /** A word shown beside amounts. */
  currency: string;
}

const HOUR = 3600;

export class Balances {
  readonly currency: string;
  readonly #reads: Reads;
  readonly #clock: Clock;

  constructor({ reads, clock, currency }: BalanceDependencies) {
    this.#reads = reads;
    this.#clock = clock;
    this.currency = currency;
  }

  async ofToken(tokenId: string): Promise<TokenBalance> {
    const row = await findToken(this.#reads, tokenId);
    if (row === undefined) throw new Error(`the token ${tokenId} is gone`);
    const { quota, quota_period: period } = row;
    const spent =
      quota === null || period === null
        ? row.used + row.held
        : rolled({ limit: quota, period, start: row.period_start, used: row.period_used }, unixSeconds(this.#clock))
            .used;
    return {
      name: row.name,
      quota: quota ?? undefined,
      used: period === null ? row.used : spent,
      remaining: quota === null ? undefined : notBelowZero(quota - spent),
      expiresAt: row.expires_at ?? undefined,
      models: row.models === null ? undefined : (JSON.parse(row.models) as string[]),
      rate: JSON.parse(row.rate) as TokenBalance['rate'],
    };
  }

  async ofAccount(accountId: string): Promise<AccountBalance> {
    const row = await findAccount(this.#reads, accountId);
    if (row === undefined) throw new Error(`the account ${accountId} is gone`);
    const { balance, budget, budget_period: period, budget_start: start, budget_used: used } = row;
    const now = unixSeconds(this.#clock);
    const budgetUsed = budget === null ? used : rolled({ limit: budget, period, start, used }, now).used;
    return { balance, budget: budget ?? undefined, budgetUsed };
  }

  /** Charged to the token from one time to another (Unix seconds), by whole hours. */
  async spent(tokenId: string, { from, to }: { from: number; to: number }): Promise<bigint> {
    const rows = await listUsage(this.#reads, {
      from: Math.floor(from / HOUR) * HOUR,
      to: Math.ceil(to / HOUR) * HOUR,
      bucketLength: 100 * 366 * 24 * HOUR,
      by: undefined,
      filters: { token_id: tokenId },
      after: undefined,
      limit: 10,
    });
    return rows.reduce((sum, { amount }) => sum + amount, 0n);
  }
}

function notBelowZero(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}
