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
    detail: z.record(z.string(), z.unknown()).meta({ description: 'What changed; never a secret' }),
    created_at: unixTime,
  })
  .meta({ id: 'AuditEntry' });

export const auditList = listOf(auditEntry);
export const auditQuery = z.strictObject({
  ...listQuery,
  operator: line(100).optional(),
  action: line(100).optional(),
  resource: line(100).optional(),
  resource_id: line(200).optional(),
  from: timeFilter.optional(),
  to: timeFilter.optional(),
});

export type AuditEntry = z.infer<typeof auditEntry>;
