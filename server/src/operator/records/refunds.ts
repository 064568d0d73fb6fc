// Refunds: a charge given back, once, as a credit that names its request (docs/money.md). It is looked for under the lock of the
// account, so that not even two gateways can give it back twice.
import type { Refund } from '#contract/requests.ts';
import { formatAmount, parseAmount } from '../../billing/money.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { moveBalance } from '../../store/queries/accounts.ts';
import { findByHold, insertLedgerEntry, type LedgerRow } from '../../store/queries/ledger.ts';
import { findRequest } from '../../store/queries/requests.ts';
import { findTaskOfRequest } from '../../store/queries/tasks.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { required } from '../not-found.ts';
import { LARGEST_BALANCE } from './credits.ts';

export interface RefundInput extends Refund {
  requestId: string;
  /** Name of the operator. */
  author: string;
}

/** The credit that gave the charge of a request back. */
export async function findRefund(reads: Reads, requestId: string, taskId?: string): Promise<LedgerRow | undefined> {
  return findByHold(reads, 'credit', taskId === undefined ? [requestId] : [requestId, taskId]);
}

export async function addRefund(transaction: Transaction, input: RefundInput, at: number): Promise<LedgerRow> {
  const { requestId, author, reason } = input;
  required(await findRequest(transaction, requestId), 'request', requestId);
  const taskId = await findTaskOfRequest(transaction, requestId);
  const charge = await findByHold(transaction, 'settle', taskId === undefined ? [requestId] : [requestId, taskId]);
  if (charge === undefined || charge.amount === 0n)
    throw new GatewayError('conflict', { message: 'Nothing was charged for this request.' });
  if (charge.mode === 'test')
    throw new GatewayError('conflict', { message: 'It was charged in test mode: no money was moved.' });
  const by = input.amount === undefined ? charge.amount : parseAmount(input.amount);
  if (by === undefined || by <= 0n) throw invalidRequest('"amount" must be more than zero.', 'amount');
  if (by > charge.amount)
    throw invalidRequest(`"amount" must be at most the charge of ${formatAmount(charge.amount)}.`, 'amount');
  // Locks the account: of two who ask at the same time the second sees the first one's credit below.
  const balance = await moveBalance(transaction, charge.account_id, {
    by,
    minimum: -LARGEST_BALANCE,
    maximum: LARGEST_BALANCE,
  });
  if (balance === undefined)
    throw invalidRequest('"amount" makes the balance larger than the gateway can keep.', 'amount');
  const earlier = await findRefund(transaction, requestId, taskId);
  if (earlier !== undefined)
    throw new GatewayError('conflict', {
      message: `It was refunded already: ${formatAmount(earlier.amount)} by ${earlier.author ?? 'somebody'}, ledger entry ${earlier.id}.`,
    });
  return insertLedgerEntry(transaction, {
    kind: 'credit',
    account_id: charge.account_id,
    token_id: charge.token_id,
    hold_id: charge.hold_id,
    request_id: requestId,
    task_id: charge.task_id,
    amount: by,
    balance_after: balance,
    mode: 'live',
    usage_source: null,
    note: reason,
    author,
    created_at: at,
  });
}
