// Files and batches in the OpenAPI document.
import { z } from 'zod';
import { batchFields, messageLineFields } from '../../../endpoints/batches/batches.ts';
import { bodyFrom } from '../from-fields.ts';
import { type Descriptions, integer, list, map, type Schema, whole } from '../schema.ts';

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

const form = z.object({
  file: z.string().meta({ format: 'binary' }),
  purpose: z.enum(['batch', 'user_data', 'vision', 'assistants']),
  'expires_after[anchor]': z.literal('created_at').optional(),
  'expires_after[seconds]': z.int().min(3_600).max(2_592_000).optional(),
});

export const descriptions: Descriptions = {
  'POST /v1/files': { operationId: 'createFile', form: fromZod(form), answer: fromZod(file) },
  'GET /v1/files': { operationId: 'listFiles', answer: fromZod(listOf(file)) },
  'GET /v1/files/{file_id}': { operationId: 'getFile', answer: fromZod(file) },
  'DELETE /v1/files/{file_id}': {
    operationId: 'deleteFile',
    answer: fromZod(z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) })),
  },
  'GET /v1/files/{file_id}/content': { operationId: 'getFileContent', bytes: 'application/octet-stream' },
  'POST /v1/batches': {
    operationId: 'createBatch',
    body: bodyFrom({
      fields: batchFields,
      required: ['input_file_id', 'endpoint', 'completion_window'],
      notes: {
        input_file_id: '`id` of a file of the purpose batch, with one request on each line',
        endpoint: 'Path that all its lines are for, such as /v1/chat/completions',
        completion_window: { about: 'Within what time', schema: { type: 'string', enum: ['24h'] } },
        metadata: {
          about: 'At most 16 pairs of texts',
          schema: { type: 'object', maxProperties: 16, additionalProperties: { type: 'string', maxLength: 512 } },
        },
        output_expires_after: {
          about: 'When the files of the results go',
          schema: whole({ anchor: { type: 'string', const: 'created_at' }, seconds: integer() }),
        },
      },
    }),
    example: { input_file_id: 'file_1', endpoint: '/v1/chat/completions', completion_window: '24h' },
    answer: fromZod(batch),
  },
  'GET /v1/batches': { operationId: 'listBatches', answer: fromZod(listOf(batch)) },
  'GET /v1/batches/{batch_id}': { operationId: 'getBatch', answer: fromZod(batch) },
  'POST /v1/batches/{batch_id}/cancel': { operationId: 'cancelBatch', answer: fromZod(batch) },
  'POST /v1/messages/batches': {
    operationId: 'createMessageBatch',
    body: whole({
      requests: list(
        bodyFrom({
          fields: messageLineFields,
          required: ['custom_id', 'params'],
          notes: {
            custom_id: 'Names the result; each once',
            params: { about: 'A body of POST /v1/messages', schema: map() },
          },
        }),
        undefined,
        { minItems: 1 },
      ),
    }),
    example: {
      requests: [
        {
          custom_id: 'a',
          params: { model: 'claude-example', max_tokens: 100, messages: [{ role: 'user', content: 'Say hello.' }] },
        },
      ],
    },
    answer: fromZod(messageBatch),
  },
  'GET /v1/messages/batches': {
    operationId: 'listMessageBatches',
    answer: fromZod(
      z.object({ data: z.array(messageBatch), has_more: z.boolean(), first_id: moment, last_id: moment }),
    ),
  },
  'GET /v1/messages/batches/{batch_id}': { operationId: 'getMessageBatch', answer: fromZod(messageBatch) },
  'POST /v1/messages/batches/{batch_id}/cancel': { operationId: 'cancelMessageBatch', answer: fromZod(messageBatch) },
  'DELETE /v1/messages/batches/{batch_id}': {
    operationId: 'deleteMessageBatch',
    answer: fromZod(z.object({ id: z.string(), type: z.literal('message_batch_deleted') })),
  },
  'GET /v1/messages/batches/{batch_id}/results': {
    operationId: 'getMessageBatchResults',
    bytes: 'application/x-jsonl',
    says: 'One JSON object on each line',
  },
};

function fromZod(schema: z.ZodType): Schema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io: 'input' });
  return written;
}
