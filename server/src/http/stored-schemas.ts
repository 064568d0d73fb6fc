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

export const forms: Readonly<Record<string, z.ZodType>> = {
  '/v1/files': z.object({
    file: z.string().meta({ format: 'binary' }),
    purpose: z.enum(['batch', 'user_data', 'vision', 'assistants']),
    'expires_after[anchor]': z.literal('created_at').optional(),
    'expires_after[seconds]': z.int().min(3_600).max(2_592_000).optional(),
  }),
};

/** By method and path. */
export const ofMethod: Readonly<Record<string, { body?: z.ZodType; answer: z.ZodType }>> = {
  'POST /v1/files': { answer: file },
  'GET /v1/files': { answer: listOf(file) },
  'GET /v1/files/{file_id}': { answer: file },
  'DELETE /v1/files/{file_id}': {
    answer: z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) }),
  },
};
