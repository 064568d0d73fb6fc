// Access tokens: the credential of a client, and what it may do.
import { z } from 'zod';
import { etag } from './values/etag.ts';
import { amount, amountAnswer } from './values/amounts.ts';
import { listOf, listQuery, sortBy } from './values/lists.ts';
import { addressRange } from './values/network-addresses.ts';
import { origin } from './values/origin.ts';
import { rateAnswer, ratePatch } from './values/rate.ts';
import { search } from './values/search.ts';
import { displayName, groupName, id, modelPatterns } from './values/text.ts';
import { unixTime } from './values/times.ts';
import { period } from './values/period.ts';
import { orDefault } from './values/or-default.ts';

const MONTH = 31 * 24 * 3600;

const mode = z.enum(['live', 'test']);
const status = z.enum(['enabled', 'disabled']);
const addresses = z.array(addressRange).max(200);
const origins = z.array(origin).max(200);

const options = z.strictObject({
  fit_balance: z.boolean().meta({
    description: 'Lower max_tokens to what balance and quota cover rather than refuse the request',
  }),
  strict: z.boolean().meta({
    description: 'Refuse a request rather than leave out what its provider has no place for (x-tollgate-strict)',
  }),
  store_bodies: z.enum(['off', 'errors', 'all']).meta({
    description: 'Keep the beginning of what is asked and answered for some days: never, of failed requests, or of all',
  }),
});

export const token = z
  .object({
    id,
    account_id: id,
    name: z.string(),
    models: z.array(z.string()).nullable(),
    group: z.string().nullable().meta({ description: "null = the account's" }),
    ip_allow: z.array(z.string()).meta({ description: 'Empty = any address' }),
    origins: z
      .array(z.string())
      .meta({ description: 'Pages that may use it, such as https://app.example; empty = any' }),
    quota: amountAnswer.nullable(),
    quota_period: period.nullable().meta({ description: 'null = for the whole life of the token' }),
    period_start: unixTime.meta({ description: 'Since when `period_used` counts' }),
    period_used: amountAnswer.meta({ description: 'Held and charged in the period of the last call' }),
    rate: rateAnswer,
    expires_at: unixTime.nullable(),
    mode,
    status,
    options,
    used: amountAnswer.meta({ description: 'Settled charges' }),
    held: amountAnswer.meta({ description: 'Open holds' }),
    key_hint: z.string(),
    created_at: unixTime,
    etag,
  })
  .meta({ id: 'Token' });

/** The answer of create and rotate, the only ones that show the key. */
export const tokenWithKey = z.object({ ...token.shape, key: z.string() }).meta({ id: 'TokenWithKey' });

export const tokenCreated = z
  .object({ ...token.shape, key: z.string().nullable().meta({ description: 'null where only its hash was given' }) })
  .meta({ id: 'TokenCreated' });

const visible = /^[\x21-\x7e]+$/;
const ownKey = z.string().min(8).max(200).regex(visible, 'must be visible ASCII characters without spaces').meta({
  description: 'A key that clients already have; left out = a new one is made',
});
const keyHash = z.string().regex(/^sha256:[0-9a-fA-F]{64}$/, 'must be sha256: and 64 hex digits');
const ownKeyHash = keyHash.meta({
  description: 'The same where only the SHA-256 of the whole key text is known',
});

export const tokenCreate = z
  .strictObject({
    account_id: id,
    name: displayName,
    models: modelPatterns.default(null),
    group: groupName.nullable().default(null),
    ip_allow: orDefault(addresses, []),
    origins: orDefault(origins, []),
    quota: amount.nullable().default(null),
    quota_period: period.nullable().default(null),
    rate: ratePatch.default(null),
    expires_at: unixTime.nullable().default(null),
    mode: mode.default('live'),
    status: status.default('enabled'),
    options: options.partial().default({}),
    key: ownKey.optional(),
    key_hash: ownKeyHash.optional(),
  })
  .refine((input) => input.key === undefined || input.key_hash === undefined, {
    message: 'cannot be given together with "key"',
    path: ['key_hash'],
  })
  .meta({ id: 'TokenCreate' });

export const tokenPatch = z
  .strictObject({
    account_id: id,
    name: displayName,
    models: modelPatterns,
    group: groupName.nullable(),
    ip_allow: addresses.nullable(),
    origins: origins.nullable(),
    quota: amount.nullable(),
    quota_period: period.nullable(),
    rate: ratePatch,
    expires_at: unixTime.nullable(),
    mode,
    status,
    options: options.partial(),
  })
  .partial()
  .meta({ id: 'TokenPatch' });

/** The body may be left out. */
export const tokenRotate = z.strictObject({ grace_seconds: z.int().min(0).max(MONTH).default(0) }).nullish();

export const tokenList = listOf(token);
export const tokenQuery = z.strictObject({
  ...listQuery,
  q: search,
  sort: sortBy('name', 'used', 'created_at'),
  account_id: id.optional(),
  status: status.optional(),
  mode: mode.optional(),
  key_hash: keyHash.optional().meta({ description: 'The token whose key has this SHA-256' }),
});

export type Token = z.infer<typeof token>;
export type TokenCreate = z.infer<typeof tokenCreate>;
export type TokenPatch = z.infer<typeof tokenPatch>;
export type TokenOptions = z.infer<typeof options>;
