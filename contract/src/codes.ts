// Codes: money on paper, redeemed once in the portal.
import { z } from 'zod';
import { amount, amountAnswer } from './values/amounts.ts';
import { listOf, listQuery } from './values/lists.ts';
import { id, line } from './values/text.ts';
import { unixTime } from './values/times.ts';

export const code = z
  .object({
    id,
    hint: z.string(),
    amount: amountAnswer,
    note: z.string().nullable(),
    expires_at: unixTime.nullable(),
    created_by: z.string(),
    created_at: unixTime,
    redeemed_at: unixTime.nullable(),
    account_id: id.nullable().meta({ description: 'Who redeemed it' }),
  })
  .meta({ id: 'Code' });

export const codesCreate = z
  .strictObject({
    amount: amount.refine((text) => Number(text) > 0, 'must be more than zero'),
    count: z.int().min(1).max(1000).default(1),
    expires_at: unixTime.nullable().default(null),
    note: line(200).nullable().default(null),
  })
  .meta({ id: 'CodesCreate' });

export const codesCreated = z
  .object({ data: z.array(z.object({ ...code.shape, code: z.string().meta({ description: 'Shown only now' }) })) })
  .meta({ id: 'CodesCreated' });

export const codeList = listOf(code);
export const codeQuery = z.strictObject({ ...listQuery, redeemed: z.enum(['true', 'false']).optional() });

export type Code = z.infer<typeof code>;
export type CodesCreate = z.infer<typeof codesCreate>;
