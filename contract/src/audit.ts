// The audit log: who changed what, append-only.
import { z } from 'zod';
import { listOf, listQuery } from './values/lists.ts';
import { line } from './values/text.ts';
import { timeFilter, unixTime } from './values/times.ts';

export const auditEntry = z
  .object({
    id: z.string(),
    operator: z.string().meta({ description: 'Name of the operator, or operator-key' }),
    action: z.string().meta({ description: 'Such as token.create' }),
    resource: z.string(),
    resource_id: z.string(),
    account_id: z.string().nullable().meta({ description: 'Of a member; null for everything else' }),
    detail: z.record(z.string(), z.unknown()).meta({ description: 'What changed; never a secret' }),
    created_at: unixTime,
  })
  .meta({ id: 'AuditEntry' });

export const auditList = listOf(auditEntry);
export const auditQuery = z.strictObject({
  ...listQuery,
  operator: line(100).optional().meta({ description: 'The whole text, or its beginning and a *' }),
  action: line(100).optional().meta({ description: 'The whole text, or its beginning and a *' }),
  resource: line(100).optional(),
  resource_id: line(400).optional(),
  from: timeFilter.optional(),
  to: timeFilter.optional(),
});

export type AuditEntry = z.infer<typeof auditEntry>;
