// Writes the public paths for the OpenAPI document. Bodies are described, not checked, by it: unknown fields are welcome.
import { MESSAGES_VERSIONS } from '../access/credentials.ts';
import { shapeOfPath } from './error-shapes.ts';
import { publicPaths, type PublicPath } from './public-paths.ts';
import { descriptions } from './openapi/descriptions.ts';
import { errorsOf } from './openapi/errors.ts';
import type { EndpointDescription } from './openapi/schema.ts';
import { operationIdOf } from './openapi/operation-id.ts';
import { publicRoutes } from './routes.ts';

export type Described = Record<string, Record<string, unknown>>;

const SECURITY = {
  compatible: [{ bearer: [] }],
  messages: [{ apiKeyHeader: [] }, { bearer: [] }],
  'generate-content': [{ vendorKeyHeader: [] }, { apiKeyQuery: [] }, { bearer: [] }],
};

const NAMES: Readonly<Record<string, string>> = {
  model: 'Name of a model of GET /v1/models; a slash in it may stand as it is',
  response_id: '`id` of a stored response',
  interaction_id: '`id` of a stored interaction',
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

const FILES_QUERY = [
  parameter('query', 'purpose', { type: 'string' }, 'Only files of this purpose'),
  parameter('query', 'limit', { type: 'integer', minimum: 1, maximum: 10_000, default: 10_000 }, 'How many at most'),
  parameter('query', 'order', { type: 'string', enum: ['asc', 'desc'], default: 'desc' }, 'By the time of the upload'),
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
/** Of files and batches; other endpoints declare theirs. */
const QUERIES: Readonly<Record<string, object[]>> = {
  'GET /v1/files': FILES_QUERY,
  'GET /v1/batches': BATCHES_QUERY,
  'GET /v1/messages/batches': MESSAGE_BATCHES_QUERY,
};
const STRICT = parameter(
  'header',
  'x-tollgate-strict',
  { type: 'string', enum: ['true', 'false'] },
  'true: refuse the request rather than leave out or change what the provider of the model does not take',
);
const VERSION = parameter(
  'header',
  'anthropic-version',
  { type: 'string', enum: MESSAGES_VERSIONS },
  'A known version',
  true,
);
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
  const key = `${method} ${path}`;
  const described = descriptions[key] ?? { operationId: operationIdOf(method.toLowerCase(), path), answer: {} };
  const { body, form, example, event, operationId } = described;
  const parameters = [
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) =>
      parameter('path', name, { type: 'string' }, NAMES[name] ?? name, true),
    ),
    ...(described.query ?? QUERIES[key] ?? []),
    ...(carrier === 'messages' ? [VERSION] : []),
    ...(path.endsWith('/content') ? [RANGE] : []),
    ...(body !== undefined && event !== undefined ? [STRICT] : []),
  ];
  const bodies = {
    ...(body !== undefined && { 'application/json': { schema: body, ...(example !== undefined && { example }) } }),
    ...(form !== undefined && { 'multipart/form-data': { schema: form } }),
  };
  const content = contentOf(described);
  const usual = event === undefined ? 'The answer' : 'The answer, whole or, where asked for, as a stream of events';
  return {
    tags: ['Public API'],
    operationId,
    summary,
    security: SECURITY[carrier],
    ...(parameters.length > 0 && { parameters }),
    ...(Object.keys(bodies).length > 0 && { requestBody: { required: true, content: bodies } }),
    responses: {
      200: { description: described.says ?? usual, headers: REQUEST_ID, content },
      ...(path.endsWith('/content') && { 206: { description: 'The range that was asked for', content } }),
      ...errorsOf(shapeOfPath(path.replaceAll(/\{\w+\}/g, 'x'))),
    },
  };
}

/** JSON or bytes; of a stream, the data of one event. */
function contentOf({ bytes, answer = {}, answerExample, event }: EndpointDescription): object {
  const example = answerExample !== undefined && { example: answerExample };
  return {
    ...(bytes === undefined
      ? { 'application/json': { schema: answer, ...example } }
      : { [bytes]: { schema: { type: 'string', format: 'binary' } } }),
    ...(event !== undefined && { 'text/event-stream': { schema: event } }),
  };
}

const REQUEST_ID = {
  'x-request-id': { description: 'Of this request, in logs and ledger', schema: { type: 'string' } },
};
