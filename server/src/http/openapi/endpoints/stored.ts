// Files and batches in the OpenAPI document. What they answer is declared in ../../stored-schemas.ts.
import { z } from 'zod';
import { batchFields, messageLineFields } from '../../../endpoints/batches/batches.ts';
import * as stored from '../../stored-schemas.ts';
import { operationIdOf } from '../operation-id.ts';
import { bodyFrom } from '../from-fields.ts';
import {
  type Components,
  type Descriptions,
  type EndpointDescription,
  integer,
  list,
  map,
  object,
  type Schema,
} from '../schema.ts';

const NAMES: Readonly<Record<string, string>> = {
  'POST /v1/files': 'createFile',
  'GET /v1/files': 'listFiles',
  'GET /v1/files/{file_id}': 'getFile',
  'DELETE /v1/files/{file_id}': 'deleteFile',
  'POST /v1/batches': 'createBatch',
  'GET /v1/batches': 'listBatches',
  'GET /v1/batches/{batch_id}': 'getBatch',
  'POST /v1/batches/{batch_id}/cancel': 'cancelBatch',
  'POST /v1/messages/batches': 'createMessageBatch',
  'GET /v1/messages/batches': 'listMessageBatches',
  'GET /v1/messages/batches/{batch_id}': 'getMessageBatch',
  'POST /v1/messages/batches/{batch_id}/cancel': 'cancelMessageBatch',
  'DELETE /v1/messages/batches/{batch_id}': 'deleteMessageBatch',
};

const BODIES: Readonly<Record<string, Pick<EndpointDescription, 'body' | 'example'>>> = {
  'POST /v1/batches': {
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
          schema: object({ anchor: { type: 'string', const: 'created_at' }, seconds: integer() }, [
            'anchor',
            'seconds',
          ]),
        },
      },
    }),
    example: { input_file_id: 'file_1', endpoint: '/v1/chat/completions', completion_window: '24h' },
  },
  'POST /v1/messages/batches': {
    body: object(
      {
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
      },
      ['requests'],
    ),
    example: {
      requests: [
        {
          custom_id: 'a',
          params: { model: 'claude-example', max_tokens: 100, messages: [{ role: 'user', content: 'Say hello.' }] },
        },
      ],
    },
  },
};

const described = Object.entries(stored.ofMethod).map(([key, { answer }]): [string, EndpointDescription] => {
  const [method = '', path = ''] = key.split(' ');
  const form = method === 'POST' ? stored.forms[path] : undefined;
  return [
    key,
    {
      operationId: NAMES[key] ?? operationIdOf(method.toLowerCase(), path),
      ...BODIES[key],
      ...(form !== undefined && { form: fromZod(form) }),
      answer: fromZod(answer),
    },
  ];
});

export const storedDescriptions: Descriptions = {
  ...Object.fromEntries(described),
  'GET /v1/files/{file_id}/content': { operationId: 'getFileContent', bytes: 'application/octet-stream' },
  'GET /v1/messages/batches/{batch_id}/results': {
    operationId: 'getMessageBatchResults',
    bytes: 'application/x-jsonl',
    says: 'One JSON object on each line',
  },
};

export const storedComponents: Components = {};

function fromZod(schema: z.ZodType): Schema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io: 'input' });
  return written;
}
