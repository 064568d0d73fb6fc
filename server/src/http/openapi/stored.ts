// Files and batches in the OpenAPI document, from the schemas that they declare in ../stored-schemas.ts.
import { z } from 'zod';
import * as stored from '../stored-schemas.ts';
import type { Components, Descriptions, EndpointDescription, Schema } from './schema.ts';

const NAMES: Readonly<Record<string, string>> = {
  'POST /v1/files': 'createFile',
  'GET /v1/files': 'listFiles',
  'GET /v1/files/{file_id}': 'getFile',
  'DELETE /v1/files/{file_id}': 'deleteFile',
  'POST /v1/batches': 'createBatch',
  'GET /v1/batches': 'listBatches',
  'GET /v1/batches/{batch_id}': 'getBatch',
  'POST /v1/batches/{batch_id}/cancel': 'cancelBatch',
};

const described = Object.entries(stored.ofMethod).map(([key, { body, answer }]): [string, EndpointDescription] => {
  const [method = '', path = ''] = key.split(' ');
  const form = method === 'POST' ? stored.forms[path] : undefined;
  return [
    key,
    {
      operationId: NAMES[key] ?? operationIdOf(method.toLowerCase(), path),
      ...(body !== undefined && { body: fromZod(body) }),
      ...(form !== undefined && { form: fromZod(form) }),
      answer: fromZod(answer),
    },
  ];
});

export const storedDescriptions: Descriptions = {
  ...Object.fromEntries(described),
  'GET /v1/files/{file_id}/content': { operationId: 'getFileContent', bytes: 'application/octet-stream' },
};

export const storedComponents: Components = {};

/** `post` and `/v1/a-b/{c}/d` -> postABByCD. */
export function operationIdOf(method: string, path: string): string {
  const parts = path
    .replace(/^\/(?:operator\/)?v\d+(?:beta)?/, '')
    .split(/[^A-Za-z{]+/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? `By${capital(part.slice(1))}` : capital(part)));
  return method + parts.join('');
}

export function fromZod(schema: z.ZodType): Schema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io: 'input' });
  return written;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
