// Operators: the people who run the gateway. An admin changes things, a viewer only reads.
import { z } from 'zod';
import { etag } from './values/etag.ts';
import { listOf, listQuery } from './values/lists.ts';
import { id, line } from './values/text.ts';
import { unixTime } from './values/times.ts';

export const role = z.enum(['admin', 'viewer']);
const status = z.enum(['active', 'disabled']);

/** Of an operator, as it is typed at sign-in. */
export const operatorName = line(64)
  .regex(/^\S+$/, 'must not contain spaces')
  .refine((name) => name !== 'operator-key' && !name.startsWith('key:'), 'is a name that stands for an operator key');
export const newPassword = z.string().min(10).max(200);

export const operator = z
  .object({
    id,
    name: z.string(),
    role,
    status,
    must_change_password: z.boolean(),
    second_factor: z.boolean(),
    created_at: unixTime,
    etag,
  })
  .meta({ id: 'Operator' });

export const operatorCreate = z
  .strictObject({
    name: operatorName,
    password: newPassword,
    role: role.default('viewer'),
    must_change_password: z.boolean().default(true),
  })
  .meta({ id: 'OperatorCreate' });

export const operatorPatch = z
  .strictObject({
    name: operatorName,
    role,
    status,
    second_factor: z.literal(false).meta({ description: 'Takes it away from somebody who has lost it' }),
    password: newPassword.meta({ description: 'To be changed by its owner; ends their sign-ins' }),
  })
  .partial()
  .meta({ id: 'OperatorPatch' });

export const operatorList = listOf(operator);
export const operatorQuery = z.strictObject(listQuery);

export type Operator = z.infer<typeof operator>;
export type OperatorCreate = z.infer<typeof operatorCreate>;
export type OperatorPatch = z.infer<typeof operatorPatch>;
