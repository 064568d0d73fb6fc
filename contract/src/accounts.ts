// Accounts: who pays. Their balance moves only by the ledger.
import { z } from 'zod';
import { etag } from './values/etag.ts';
import { amount, amountAnswer, signedAmount } from './values/amounts.ts';
import { listOf, listQuery, sortBy } from './values/lists.ts';
import { period } from './values/period.ts';
import { rateAnswer, ratePatch } from './values/rate.ts';
import { search } from './values/search.ts';
import { displayName, groupName, id, line, lines, modelPatterns } from './values/text.ts';
import { unixTime } from './values/times.ts';

const status = z.enum(['active', 'disabled']);
const externalId = line(200).meta({ description: 'What it is called elsewhere; unique' });

export const account = z
  .object({
    id,
    name: z.string(),
    group: z.string(),
    status,
    models: z.array(z.string()).nullable(),
    balance: amountAnswer.meta({ description: 'The free balance: open holds are already taken off' }),
    budget: amountAnswer.nullable().meta({ description: 'What live calls may cost in a period; null = no limit' }),
    budget_period: period.nullable().meta({ description: 'null = the budget never resets' }),
    budget_start: unixTime.meta({ description: 'Since when `budget_used` counts' }),
    budget_used: amountAnswer.meta({ description: 'Held and charged in the period of the last call' }),
    external_id: z.string().nullable().meta({ description: 'What it is called elsewhere; unique' }),
    rate: rateAnswer.meta({ description: 'Over all tokens of the account; test tokens are counted apart' }),
    created_at: unixTime,
    etag,
  })
  .meta({ id: 'Account' });

export const accountCreate = z
  .strictObject({
    name: displayName,
    group: groupName.default('default'),
    status: status.default('active'),
    models: modelPatterns.default(null),
    rate: ratePatch.default(null),
    budget: amount.nullable().default(null),
    budget_period: period.nullable().default(null),
    external_id: externalId.nullable().default(null),
  })
  .meta({ id: 'AccountCreate' });

export const accountPatch = z
  .strictObject({
    name: displayName,
    group: groupName,
    status,
    models: modelPatterns,
    rate: ratePatch,
    budget: amount.nullable(),
    budget_period: period.nullable(),
    external_id: externalId.nullable(),
  })
  .partial()
  .meta({ id: 'AccountPatch' });

export const credit = z
  .strictObject({
    amount: signedAmount.refine((text) => Number(text) !== 0, 'must not be zero'),
    note: lines(500).nullable().default(null),
  })
  .meta({ id: 'Credit' });

export const accountList = listOf(account);
export const accountQuery = z.strictObject({
  ...listQuery,
  q: search,
  sort: sortBy('name', 'balance', 'created_at'),
  group: groupName.optional(),
  status: status.optional(),
  external_id: externalId.optional(),
});

export type Account = z.infer<typeof account>;
export type AccountCreate = z.infer<typeof accountCreate>;
export type AccountPatch = z.infer<typeof accountPatch>;
export type Credit = z.infer<typeof credit>;
