// The ledger: every movement of money, append-only.
import { z } from 'zod';
import { usageSource } from './requests.ts';
import { amountAnswer } from './values/amounts.ts';
import { listOf, listQuery } from './values/lists.ts';
import { id, requestId } from './values/text.ts';
import { timeFilter, unixTime } from './values/times.ts';

const kind = z.enum(['credit', 'hold', 'settle', 'release']);
const mode = z.enum(['live', 'test']);

export const ledgerEntry = z
  .object({
    id: z.string(),
    kind,
    account_id: id,
    token_id: id.nullable(),
    request_id: requestId.nullable(),
    task_id: id.nullable(),
    amount: amountAnswer,
    balance_after: amountAnswer,
    mode,
    usage_source: usageSource.nullable(),
    note: z.string().nullable(),
    author: z.string().nullable().meta({ description: 'The operator who gave a credit' }),
    created_at: unixTime,
  })
  .meta({ id: 'LedgerEntry' });

export const ledgerList = listOf(ledgerEntry);

/** All entries of one request or task together, or one credit. */
export const ledgerFold = z
  .object({
    id: z.string().meta({ description: 'Of the newest of its entries' }),
    kind: z.enum(['credit', 'charge', 'hold', 'release']).meta({
      description: 'charge: settled; hold: still open; release: ended without a charge',
    }),
    account_id: id,
    token_id: id.nullable(),
    request_id: requestId.nullable(),
    task_id: id.nullable(),
    amount: amountAnswer.meta({ description: 'What it did to the balance, with its sign; a charge is negative' }),
    held: amountAnswer.nullable(),
    released: amountAnswer.nullable(),
    balance_after: amountAnswer.meta({ description: 'After the newest of its entries' }),
    mode,
    usage_source: usageSource.nullable(),
    note: z.string().nullable(),
    author: z.string().nullable(),
    created_at: unixTime.meta({ description: 'Of the newest of its entries' }),
  })
  .meta({ id: 'LedgerFold' });

export const ledgerFoldList = listOf(ledgerFold);
export const ledgerQuery = z.strictObject({
  ...listQuery,
  account_id: id.optional(),
  token_id: id.optional(),
  kind: kind.optional(),
  request_id: requestId.optional(),
  task_id: id.optional(),
  mode: mode.optional(),
  from: timeFilter.optional(),
  to: timeFilter.optional(),
});

export const ledgerFoldQuery = ledgerQuery.omit({ kind: true });

export type LedgerFold = z.infer<typeof ledgerFold>;
export type LedgerEntry = z.infer<typeof ledgerEntry>;
