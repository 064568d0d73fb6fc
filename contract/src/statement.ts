// The statement of an account for one month: what came in, what was charged, and for what. All of it is from the ledger.
import { z } from 'zod';
import { amountAnswer } from './values/amounts.ts';
import { id } from './values/text.ts';

const month = z.string().regex(/^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-11');

export const statement = z
  .object({
    account: z.object({ id, name: z.string() }),
    month: z.string(),
    currency: z.string(),
    opening_balance: amountAnswer,
    credits: amountAnswer,
    charges: amountAnswer,
    closing_balance: amountAnswer.meta({ description: 'Opening balance and credits less charges' }),
    days: z
      .array(z.object({ date: z.string(), credits: amountAnswer, charges: amountAnswer, requests: z.int() }))
      .meta({ description: 'Days (UTC) on which money moved' }),
    models: z
      .array(z.object({ model: z.string().nullable(), requests: z.int(), charges: amountAnswer }))
      .meta({ description: 'Charges by model; null = what can no longer be split by model' }),
  })
  .meta({ id: 'Statement' });

export const statementQuery = z.strictObject({
  month: month.optional().meta({ description: 'Default: the running month (UTC)' }),
  format: z.enum(['json', 'csv', 'html']).optional().meta({ description: 'Also by the header Accept' }),
});

export type Statement = z.infer<typeof statement>;
