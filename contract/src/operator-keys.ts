// Operator keys: credentials of programs on the operator API and /metrics, each with a role and an end of its own.
import { z } from 'zod';
import { etag } from './values/etag.ts';
import { listOf, listQuery } from './values/lists.ts';
import { id, line } from './values/text.ts';
import { unixTime } from './values/times.ts';

export const operatorKeyRole = z
  .enum(['admin', 'viewer', 'metrics'])
  .meta({ description: 'admin changes things, viewer reads, metrics reads /metrics and nothing else' });
const status = z.enum(['enabled', 'disabled']);
const name = line(64).regex(/^\S+$/, 'must not contain spaces');
const expiresAt = unixTime.nullable().meta({ description: 'null = never' });

export const operatorKey = z
  .object({
    id,
    name: z.string().meta({ description: 'The audit log calls it key:<name>' }),
    role: operatorKeyRole,
    status,
    expires_at: expiresAt,
    key_hint: z.string(),
    created_by: z.string(),
    created_at: unixTime,
    etag,
  })
  .meta({ id: 'OperatorKey' });

/** The answer of create, the only one that shows the key. */
export const operatorKeyWithKey = z
  .object({ ...operatorKey.shape, key: z.string() })
  .meta({ id: 'OperatorKeyWithKey' });

export const operatorKeyCreate = z
  .strictObject({
    name,
    role: operatorKeyRole.default('viewer'),
    status: status.default('enabled'),
    expires_at: expiresAt.default(null),
  })
  .meta({ id: 'OperatorKeyCreate' });

export const operatorKeyPatch = z
  .strictObject({ name, role: operatorKeyRole, status, expires_at: expiresAt })
  .partial()
  .meta({ id: 'OperatorKeyPatch' });

export const operatorKeyList = listOf(operatorKey);
export const operatorKeyQuery = z.strictObject(listQuery);

export type OperatorKey = z.infer<typeof operatorKey>;
export type OperatorKeyCreate = z.infer<typeof operatorKeyCreate>;
export type OperatorKeyPatch = z.infer<typeof operatorKeyPatch>;
