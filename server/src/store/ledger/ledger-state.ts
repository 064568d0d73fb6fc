// What the rules of money know of the tables while they decide a batch.
import type { Allowance } from './allowance.ts';
import type { HoldRow } from './operations.ts';

/** Nothing read yet. */
export function emptyState() {
  return {
    /** Free balances by account. */
    balances: new Map<string, bigint>(),
    /** Of the accounts that have one. */
    budgets: new Map<string, Allowance>(),
    /** Of the members that have one: what all tokens that they made may spend together. */
    caps: new Map<string, Allowance>(),
    tokens: new Map<string, TokenMoney>(),
    /** Open holds. */
    holds: new Map<string, HoldRow>(),
    /** How holds that are not open any more ended. */
    ended: new Map<string, HoldEnd>(),
    /** What guards the tasks that are to change. */
    tasks: new Map<string, TaskGuard>(),
  };
}

export type LedgerState = ReturnType<typeof emptyState>;

export interface TaskGuard {
  version: number;
  isFinished: boolean;
}

export interface TokenMoney {
  /** For the whole life of the token. */
  quota: bigint | null;
  /** The same for a period. */
  allowance?: Allowance | undefined;
  /** Who made it in the portal. */
  memberId?: string | undefined;
  used: bigint;
  held: bigint;
}

export type HoldEnd = 'settled' | 'released';
