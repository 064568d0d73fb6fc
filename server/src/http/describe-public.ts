// Writes the public paths for the OpenAPI document. Bodies are described, not checked, by it: unknown fields are welcome.
import { z } from 'zod';
import { MESSAGES_VERSIONS } from '../access/credentials.ts';
import { type ErrorShape, shapeOfPath } from './error-shapes.ts';
import { publicPaths, type PublicPath } from './public-paths.ts';
import { schemasOf } from './public-schemas.ts';
import { publicRoutes } from './routes.ts';

export type Described = Record<string, Record<string, unknown>>;

const SECURITY = {
  compatible: [{ bearer: [] }],
  messages: [{ apiKeyHeader: [] }, { bearer: [] }],
  'generate-content': [{ vendorKeyHeader: [] }, { apiKeyQuery: [] }, { bearer: [] }],
};

const compatible = z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() });
const ERRORS: Readonly<Record<ErrorShape, z.ZodType>> = {
  compatible: z.object({ error: compatible }),
  messages: z.object({
    type: z.literal('error'),
    error: z.object({ type: z.string(), message: z.string() }),
    request_id: z.string(),
  }),
  'generate-content': z.object({ error: z.object({ code: z.int(), message: z.string(), status: z.string() }) }),
  'video-generations': z.object({ code: z.string(), message: z.string(), data: z.null(), error: compatible }),
};

const NAMES: Readonly<Record<string, string>> = {
  model: 'Name of a model of GET /v1/models; a slash in it may stand as it is',
  response_id: '`id` of a stored response',
  task_id: '`id` of a video task, `task_...`',
  file_id: '`id` of a file, `file_...`',
  batch_id: '`id` of a batch, `batch_...` or `msgbatch_...`',
};

const parameter = (location: string, name: string, schema: object, description: string, required = false): object => ({
  name,
  in: location,
  required,
  description,
  schema,
});

const LIST_QUERY = [
  parameter('query', 'limit', { type: 'integer', minimum: 0, maximum: 100, default: 20 }, 'How many at most'),
  parameter('query', 'order', { enum: ['asc', 'desc'], default: 'desc' }, 'By the time of the submit'),
  parameter('query', 'after', { type: 'string' }, '`last_id` of the page before'),
];
const FILES_QUERY = [
  parameter('query', 'purpose', { type: 'string' }, 'Only files of this purpose'),
  parameter('query', 'limit', { type: 'integer', minimum: 1, maximum: 10_000, default: 10_000 }, 'How many at most'),
  parameter('query', 'order', { enum: ['asc', 'desc'], default: 'desc' }, 'By the time of the upload'),
  parameter('query', 'after', { type: 'string' }, '`last_id` of the page before'),
];
const limitOf = (most: number): object =>
  parameter('query', 'limit', { type: 'integer', minimum: 1, maximum: most, default: 20 }, 'How many at most');
const BATCHES_QUERY = [limitOf(100), parameter('query', 'after', { type: 'string' }, '`last_id` of the page before')];
const MESSAGE_BATCHES_QUERY = [
  limitOf(1_000),
  parameter('query', 'after_id', { type: 'string' }, '`last_id` of the page before'),
  parameter('query', 'before_id', { type: 'string' }, '`first_id` of the page behind'),
];
const ITEMS_QUERY = ['limit', 'order', 'after', 'include'].map((name) =>
  parameter('query', name, { type: 'string' }, 'Handed on to the provider'),
);
const QUERIES: Readonly<Record<string, object[]>> = {
  'GET /v1/videos': LIST_QUERY,
  'GET /v1/files': FILES_QUERY,
  'GET /v1/batches': BATCHES_QUERY,
  'GET /v1/messages/batches': MESSAGE_BATCHES_QUERY,
  'GET /v1/responses/{response_id}/input_items': ITEMS_QUERY,
  'POST /v1beta/models/{model}:streamGenerateContent': [
    parameter('query', 'alt', { enum: ['sse'] }, 'Server-sent events instead of a JSON array'),
  ],
};
const STRICT = parameter(
  'header',
  'x-tollgate-strict',
  { enum: ['true', 'false'] },
  'true: refuse the request rather than leave out or change what the provider of the model does not take',
);
const VERSION = parameter('header', 'anthropic-version', { enum: MESSAGES_VERSIONS }, 'A known version', true);
const RANGE = parameter('header', 'Range', { type: 'string' }, 'One range of bytes, such as bytes=0-1023');

export function describePublic(): Described {
  const described: Described = {};
  for (const one of publicPaths(publicRoutes)) {
    const methods = (described[one.path] ??= {});
    methods[one.method.toLowerCase()] = operation(one);
  }
  return described;
}

function operation({ method, path, carrier, summary }: PublicPath): object {
  const { body, form, answer, bytes, events, says } = schemasOf(method, path);
  const parameters = [
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) =>
      parameter('path', name, { type: 'string' }, NAMES[name] ?? name, true),
    ),
    ...(QUERIES[`${method} ${path}`] ?? []),
    ...(carrier === 'messages' ? [VERSION] : []),
    ...(path.endsWith('/content') ? [RANGE] : []),
    ...(body !== undefined && events ? [STRICT] : []),
  ];
  const bodies = {
    ...(body !== undefined && { 'application/json': { schema: json(body) } }),
    ...(form !== undefined && { 'multipart/form-data': { schema: json(form) } }),
  };
  const content = {
    ...(bytes === undefined && { 'application/json': { schema: json(answer ?? z.looseObject({})) } }),
    ...(bytes !== undefined && { [bytes]: { schema: { type: 'string', format: 'binary' } } }),
    ...(events && { 'text/event-stream': { schema: { type: 'string' } } }),
  };
  const error = { 'application/json': { schema: json(ERRORS[shapeOfPath(path.replaceAll(/\{\w+\}/g, 'x'))]) } };
  return {
    tags: ['Public API'],
    summary,
    security: SECURITY[carrier],
    ...(parameters.length > 0 && { parameters }),
    ...(Object.keys(bodies).length > 0 && { requestBody: { required: true, content: bodies } }),
    responses: {
      200: { description: says, headers: REQUEST_ID, content },
      ...(path.endsWith('/content') && { 206: { description: 'The range that was asked for', content } }),
      '4XX': { description: 'Refused; `code` and `message` say why, docs/errors.md what to do', content: error },
      '5XX': { description: 'Failed, here or at every provider of the model; most may be retried', content: error },
    },
  };
}

const REQUEST_ID = {
  'x-request-id': { description: 'Of this request, in logs and ledger', schema: { type: 'string' } },
};

function json(schema: z.ZodType): object {
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io: 'input' });
  return written;
}
