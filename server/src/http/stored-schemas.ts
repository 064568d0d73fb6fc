// Forms and answers of files and batches, as the OpenAPI document shows them.
import { z } from 'zod';

const listOf = (entry: z.ZodType) =>
  z.object({
    object: z.literal('list'),
    data: z.array(entry),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  });

const file = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  created_at: z.int(),
  expires_at: z.int().optional(),
  filename: z.string(),
  purpose: z.string(),
  status: z.literal('processed'),
});

const time = z.int().optional();
const batch = z.object({
  id: z.string(),
  object: z.literal('batch'),
  endpoint: z.string(),
  errors: z.object({ object: z.literal('list'), data: z.array(z.looseObject({ code: z.string() })) }).optional(),
  input_file_id: z.string(),
  completion_window: z.literal('24h'),
  status: z.enum([
    'validating',
    'failed',
    'in_progress',
    'finalizing',
    'completed',
    'expired',
    'cancelling',
    'cancelled',
  ]),
  output_file_id: z.string().optional(),
  error_file_id: z.string().optional(),
  created_at: z.int(),
  expires_at: z.int(),
  in_progress_at: time,
  finalizing_at: time,
  completed_at: time,
  failed_at: time,
  expired_at: time,
  cancelling_at: time,
  cancelled_at: time,
  request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }).optional(),
  metadata: z.record(z.string(), z.string()).nullable(),
});

const moment = z.string().nullable();
const messageBatch = z.object({
  id: z.string(),
  type: z.literal('message_batch'),
  processing_status: z.enum(['in_progress', 'canceling', 'ended']),
  request_counts: z.object({
    processing: z.int(),
    succeeded: z.int(),
    errored: z.int(),
    canceled: z.int(),
    expired: z.int(),
  }),
  created_at: z.string(),
  expires_at: z.string(),
  ended_at: moment,
  cancel_initiated_at: moment,
  archived_at: moment,
  results_url: moment,
});

export const forms: Readonly<Record<string, z.ZodType>> = {
  '/v1/files': z.object({
    file: z.string().meta({ format: 'binary' }),
    purpose: z.enum(['batch', 'user_data', 'vision', 'assistants']),
    'expires_after[anchor]': z.literal('created_at').optional(),
    'expires_after[seconds]': z.int().min(3_600).max(2_592_000).optional(),
  }),
};

/** By method and path. */
export const ofMethod: Readonly<Record<string, { answer: z.ZodType }>> = {
  'POST /v1/files': { answer: file },
  'GET /v1/files': { answer: listOf(file) },
  'GET /v1/files/{file_id}': { answer: file },
  'DELETE /v1/files/{file_id}': {
    answer: z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) }),
  },
  'POST /v1/batches': { answer: batch },
  'GET /v1/batches': { answer: listOf(batch) },
  'GET /v1/batches/{batch_id}': { answer: batch },
  'POST /v1/batches/{batch_id}/cancel': { answer: batch },
  'POST /v1/messages/batches': { answer: messageBatch },
  'GET /v1/messages/batches': {
    answer: z.object({ data: z.array(messageBatch), has_more: z.boolean(), first_id: moment, last_id: moment }),
  },
  'GET /v1/messages/batches/{batch_id}': { answer: messageBatch },
  'POST /v1/messages/batches/{batch_id}/cancel': { answer: messageBatch },
  'DELETE /v1/messages/batches/{batch_id}': {
    answer: z.object({ id: z.string(), type: z.literal('message_batch_deleted') }),
  },
};
