// What the rules of money know of the tables while they decide a batch.
import type { Allowance } from './allowance.ts';
import type { HoldRow } from './operations.ts';

export interface LedgerState {
  /** Free balances by account. */
  balances: Map<string, bigint>;
  /** Of the accounts that have one. */
  budgets: Map<string, Allowance>;
  /** Of the members that have one: what all tokens that they made may spend together. */
  caps: Map<string, Allowance>;
  tokens: Map<string, TokenMoney>;
  /** Open holds. */
  holds: Map<string, HoldRow>;
  /** How holds that are not open any more ended. */
  ended: Map<string, HoldEnd>;
  /** What guards the tasks that are to change. */
  tasks: Map<string, TaskGuard>;
}

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
