// Credits: the only way an operator moves money. A correcting credit takes at most what is there.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import { formatAmount, parseAmount } from '../../billing/money.ts';
import { findAccount, moveBalance } from '../../store/queries/accounts.ts';
import { insertLedgerEntry, type LedgerRow } from '../../store/queries/ledger.ts';
import type { Transaction } from '../../store/store.ts';
import { required } from '../not-found.ts';

/** Balances stay inside 64-bit nano-units with room to spare for releases. */
export const LARGEST_BALANCE = 4_000_000_000n * 1_000_000_000n;

export interface CreditInput {
  accountId: string;
  /** Decimal text; a minus sign takes. */
  amount: string;
  note: string | null;
  /** Name of the operator. */
  author: string;
}

export async function addCredit(transaction: Transaction, input: CreditInput, at: number): Promise<LedgerEntry> {
  const by = parseAmount(input.amount);
  if (by === undefined || by === 0n)
    throw invalidRequest('"amount" must be a decimal string other than zero.', 'amount');
  const account = required(await findAccount(transaction, input.accountId), 'account', input.accountId);
  const balance = await moveBalance(transaction, input.accountId, {
    by,
    // A balance already below zero may be raised by any credit.
    minimum: by < 0n ? 0n : -LARGEST_BALANCE,
    maximum: LARGEST_BALANCE,
  });
  if (balance === undefined) {
    throw invalidRequest(
      by < 0n
        ? `"amount" takes more than the balance of ${formatAmount(account.balance)}.`
        : '"amount" makes the balance larger than the gateway can keep.',
      'amount',
    );
  }
  const row = await insertLedgerEntry(transaction, {
    kind: 'credit',
    account_id: input.accountId,
    token_id: null,
    hold_id: null,
    request_id: null,
    task_id: null,
    amount: by,
    balance_after: balance,
    mode: 'live',
    usage_source: null,
    note: input.note,
    author: input.author,
    created_at: at,
  });
  return writeLedgerEntry(row);
}

export function writeLedgerEntry(row: LedgerRow): LedgerEntry {
  return {
    id: String(row.id),
    kind: row.kind,
    account_id: row.account_id,
    token_id: row.token_id,
    request_id: row.request_id,
    task_id: row.task_id,
    amount: formatAmount(row.amount),
    balance_after: formatAmount(row.balance_after),
    mode: row.mode,
    usage_source: row.usage_source,
    note: row.note,
    author: row.author,
    created_at: row.created_at,
  };
}
