// Batches as operators see them.
import { z } from 'zod';
import { listOf, listQuery } from './values/lists.ts';
import { id } from './values/text.ts';
import { unixTime } from './values/times.ts';

const status = z.enum([
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
]);

export const batch = z
  .object({
    id,
    account_id: id,
    token_id: id,
    style: z.enum(['openai', 'anthropic']).meta({ description: 'Whose shape its owner speaks' }),
    endpoint: z.string(),
    status,
    mode: z.enum(['live', 'test']),
    input_file_id: z.string().nullable(),
    output_file_id: z.string().nullable(),
    error_file_id: z.string().nullable(),
    lines: z.object({
      total: z.int(),
      waiting: z.int(),
      running: z.int(),
      succeeded: z.int(),
      errored: z.int(),
      cancelled: z.int(),
      expired: z.int(),
    }),
    errors: z.array(
      z.object({ code: z.string(), message: z.string(), param: z.string().nullable(), line: z.int().nullable() }),
    ),
    created_at: unixTime,
    expires_at: unixTime,
    ended_at: unixTime.nullable(),
    deleted_at: unixTime.nullable(),
  })
  .meta({ id: 'Batch' });

export const batchList = listOf(batch);
export const batchQuery = z.strictObject({ ...listQuery, status: status.optional(), account_id: id.optional() });

export type Batch = z.infer<typeof batch>;
