// The OpenAPI document as strangers read it: by two validators, by the samples of every protocol, and beside the readers that
// check requests (issue 30, item 7).
import assert from 'node:assert/strict';
import { readCohereRequest } from '../../protocols/cohere-chat/read-request.ts';
import { readInteractionRequest } from '../../protocols/gemini-interactions/read-request.ts';
import { readCohereEmbed } from '../../protocols/cohere-embed/index.ts';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Validator } from '@seriousme/openapi-schema-validator';
import Fastify from 'fastify';
import { readMessagesRequest, readUnlimited } from '../../protocols/anthropic-messages/read-request.ts';
import { readBatchEmbedContents, readEmbedContent } from '../../protocols/gemini-embeddings/read-request.ts';
import { readCountRequest } from '../../protocols/gemini-generate-content/count-tokens.ts';
import { readContentRequest } from '../../protocols/gemini-generate-content/read-request.ts';
import { readSpeechRequest } from '../../protocols/openai-audio/read-speech-request.ts';
import { readChatRequest } from '../../protocols/openai-chat/read-request.ts';
import { readCompletionRequest } from '../../protocols/openai-completions/read-request.ts';
import { readEmbedding } from '../../protocols/openai-embeddings/read-request.ts';
import { readEditRequest, readGenerationRequest } from '../../protocols/openai-images/read-request.ts';
import { readModeration } from '../../protocols/openai-moderations/read-request.ts';
import { readConversationRequest, readResponseRequest } from '../../protocols/openai-responses/read-request.ts';
import { readRerankRequest } from '../../protocols/rerank/read-request.ts';
import { readKlingRequest } from '../../protocols/kling-videos/read-request.ts';
import { readGeneration } from '../../protocols/video-generations/read-request.ts';
import { readRemixJson } from '../../protocols/videos/read-remix-request.ts';
import { readVideoJson } from '../../protocols/videos/read-json-request.ts';
import { BOOLEAN, INTEGER, STRING } from '../../protocols/json/json-request.ts';
import { type OperatorDependencies, registerOperatorRoutes } from '../../operator/routes.ts';
import { registerPortalRoutes } from '../../portal/routes.ts';
import { registerApiDocs } from '../api-docs.ts';
import { publicPaths } from '../public-paths.ts';
import { publicRoutes } from '../routes.ts';
import { descriptions } from './descriptions.ts';
import { bodyFrom } from './from-fields.ts';
import type { Schema } from './schema.ts';

interface Operation {
  operationId: string;
  security?: Record<string, unknown>[];
  tags: string[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: Schema; example?: unknown }> }>;
}
interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

let source: string;
let document: Document;

before(async () => {
  const app = Fastify();
  registerApiDocs(app);
  const dependencies = { store: { reads: undefined }, clock: { now: () => 0 } } as unknown as OperatorDependencies;
  await app.register(async (scope) => registerOperatorRoutes(scope, dependencies), { prefix: '/operator/v1' });
  await app.register(async (scope) => registerPortalRoutes(scope, dependencies), { prefix: '/portal/v1' });
  source = (await app.inject('/openapi.json')).body;
  document = JSON.parse(source) as Document;
  await app.close();
});

describe('validators', () => {
  test('@seriousme/openapi-schema-validator finds nothing wrong', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
    assert.ok(valid, JSON.stringify(errors));
  });

  test('the recommended rules of Redocly are kept, and every example fits its schema', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        'no-invalid-media-type-examples': 'error',
        'no-invalid-schema-examples': 'error',
        'operation-operationId': 'error',
        'operation-operationId-url-safe': 'error',
        'no-path-trailing-slash': 'off', // contract-2 7: clients of new-api ask for /api/usage/token/
        'operation-2xx-response': 'off', // a sign-in through another site answers 302
        'operation-4xx-response': 'off', // GET /session/ways cannot be refused
      },
    });
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    const found = problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''} ${message}`);
    assert.deepEqual(found, []);
  });
});

test('calls of the operator and the portal API have their own sign-in and their own names', () => {
  for (const [api, schemes] of [
    ['operator', ['operatorKey', 'operatorSession']],
    ['portal', ['portalSession']],
  ] as const) {
    const calls = Object.entries(document.paths)
      .filter(([path]) => path.startsWith(`/${api}/v1/`))
      .flatMap(([, methods]) => Object.values(methods));
    assert.ok(calls.length > 10, api);
    for (const { operationId, security } of calls) {
      assert.match(operationId, new RegExp(`^${api}(?:Get|Post|Put|Patch|Delete)[A-Z]`));
      assert.doesNotMatch(operationId, /Portal|Operator(?!s|Key)|V[A-Z]/, operationId);
      assert.ok(
        security?.flatMap(Object.keys).every((name) => schemes.some((scheme) => scheme === name)),
        operationId,
      );
    }
  }
  assert.equal(document.paths['/portal/v1/requests']?.['get']?.operationId, 'portalGetRequests');
});

test('every call has a name of its own, a server, and every public endpoint declares itself, and none that is not there', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const names = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z][A-Za-z0-9]*$/);
  assert.deepEqual(document.servers, [{ url: '/', description: 'This gateway' }]);
  const served = publicPaths(publicRoutes).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(
    served.filter((key) => descriptions[key] === undefined),
    [],
    'endpoints that do not declare themselves',
  );
  assert.deepEqual(
    Object.keys(descriptions).filter((key) => !served.includes(key)),
    [],
    'descriptions of what is not served',
  );
});

test('a field that a reader knows and the document does not, and the other way round, makes no document', () => {
  const fields = new Map([
    ['model', STRING],
    ['n', INTEGER],
  ]);
  assert.throws(() => bodyFrom({ fields, notes: { model: 'The model' } }), /lacks fields of the reader: n/);
  const notes = { model: 'The model', n: 'How many', size: 'How large' };
  assert.throws(() => bodyFrom({ fields, notes }), /fields that no reader knows: size/);
  assert.throws(() => bodyFrom({ fields, known: ['seed'], notes: { model: '', n: '' } }), /lacks .*: seed/);
  const both = new Map([
    ['isGood', BOOLEAN],
    ['is_good', BOOLEAN],
  ]);
  assert.deepEqual(Object.keys(bodyFrom({ fields: both, notes: { isGood: '' } })['properties'] as object), ['isGood']);
});

type Reader = (bytes: Buffer) => unknown;
const MODEL = 'gemini-example';
/** What really reads the bodies. */
const readers: Record<string, Reader> = {
  'POST /v1/chat/completions': readChatRequest,
  'POST /v1/completions': readCompletionRequest,
  'POST /v1/responses': readResponseRequest,
  'POST /v1/responses/input_tokens': readConversationRequest,
  'POST /v1/responses/compact': readConversationRequest,
  'POST /v1/messages': readMessagesRequest,
  'POST /v1/messages/count_tokens': readUnlimited,
  'POST /v1beta/interactions': readInteractionRequest,
  'POST /v2/chat': readCohereRequest,
  'POST /v2/embed': readCohereEmbed,
  'POST /v1/embeddings': readEmbedding,
  'POST /v1/moderations': readModeration,
  'POST /v1/rerank': readRerankRequest,
  'POST /v2/rerank': readRerankRequest,
  'POST /rerank': readRerankRequest,
  'POST /v1/images/generations': readGenerationRequest,
  'POST /v1/images/edits': readEditRequest,
  'POST /v1/edits': readEditRequest,
  'POST /v1/audio/speech': readSpeechRequest,
  'POST /v1/video/generations': readGeneration,
  'POST /v1/videos': readVideoJson,
  'POST /v1/videos/{task_id}/remix': readRemixJson,
  'POST /kling/v1/videos/text2video': (bytes) => readKlingRequest(bytes, 'text2video'),
  'POST /kling/v1/videos/image2video': (bytes) => readKlingRequest(bytes, 'image2video'),
  'POST /v1beta/models/{model}:generateContent': (bytes) => readContentRequest(bytes, MODEL),
  'POST /v1beta/models/{model}:streamGenerateContent': (bytes) => readContentRequest(bytes, MODEL),
  'POST /v1beta/models/{model}:countTokens': (bytes) => readCountRequest(bytes, MODEL),
  'POST /v1beta/models/{model}:embedContent': (bytes) => readEmbedContent(bytes, MODEL),
  'POST /v1beta/models/{model}:batchEmbedContents': (bytes) => readBatchEmbedContents(bytes, MODEL),
};
/** Read by the endpoint itself. */
const OTHERWISE = new Set(['POST /v1/quote', 'POST /v1/batches', 'POST /v1/messages/batches']);

describe('what the document says of a body is what its reader does', () => {
  const kindsOf: Record<string, unknown> = {
    string: 'x',
    number: 1.5,
    boolean: true,
    array: [[true]],
    object: { a: 1 },
  };

  for (const [key, read] of Object.entries(readers)) {
    test(key, () => {
      const { schema, example } = bodyOf(key);
      const send = (change: object): unknown =>
        read(Buffer.from(JSON.stringify({ ...(example as object), ...change })));
      assert.notEqual(example, undefined, 'an example');
      send({}); // the example is taken
      const refusal = (change: object): string | undefined => {
        try {
          send(change);
          return undefined;
        } catch (error) {
          return (error as Error).message;
        }
      };
      for (const name of (schema['required'] as string[] | undefined) ?? [])
        assert.match(refusal({ [name]: undefined }) ?? '', /is required/, `${name} is required`);
      for (const [name, property] of Object.entries(schema['properties'] as Record<string, Schema>)) {
        const resolved = resolve(property);
        const { minimum } = property as { minimum?: number };
        if (minimum !== undefined) {
          assert.match(refusal({ [name]: minimum - 1 }) ?? '', new RegExp(name), `${name} below ${minimum}`);
          assert.equal(refusal({ [name]: minimum }), undefined, `${name} of ${minimum}`);
        }
        const { maximum } = property as { maximum?: number };
        if (maximum !== undefined) assert.match(refusal({ [name]: maximum + 1 }) ?? '', new RegExp(name), name);
        for (const [kind, value] of Object.entries(kindsOf)) {
          if (allows(resolved, kind)) continue;
          const message = refusal({ [name]: value });
          if (!isHandedOn(key, name)) assert.match(message ?? '', new RegExp(name), `${name} as ${kind}`);
        }
      }
    });
  }

  test('and no body is described whose reader is not tried here', () => {
    const described = Object.entries(descriptions).flatMap(([key, { body }]) => (body === undefined ? [] : [key]));
    assert.deepEqual(
      described.filter((key) => readers[key] === undefined && !OTHERWISE.has(key)),
      [],
    );
  });
});

describe('samples of every protocol', () => {
  const samples = new URL('../../protocols/__golden__/samples/', import.meta.url);
  const ofProtocol: Record<string, [key: string, event: string, unknownFields?: string[]]> = {
    'openai-chat': ['POST /v1/chat/completions', 'ChatCompletionChunk'],
    'openai-responses': ['POST /v1/responses', 'ResponseEvent'],
    'anthropic-messages': ['POST /v1/messages', 'MessageEvent', ['container']],
    'gemini-generate-content': ['POST /v1beta/models/{model}:generateContent', 'GenerateContentAnswer'],
  };

  for (const [protocol, [key, event, unknown = []]] of Object.entries(ofProtocol)) {
    test(`${protocol}: request, answer and every event fit the document, which names each of their fields`, () => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      ajv.addSchema(document, 'doc');
      const fits = (schema: Schema, value: unknown, what: string): void => {
        const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/')) as object);
        assert.ok(validate(value), `${what}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
        const silent = undescribed(schema, value, what).filter(
          (path) => !unknown.includes(path.split('.').at(-1) ?? ''),
        );
        assert.deepEqual(silent, [], 'fields that the document does not name');
      };
      const read = (name: string): string => readFileSync(new URL(`${protocol}.${name}`, samples), 'utf8');
      fits(bodyOf(key).schema, JSON.parse(read('request.json')), 'request');
      fits(answerOf(key), JSON.parse(read('response.json')), 'answer');
      const events = [...read('stream.txt').matchAll(/^data: (\{.*\})\r?$/gm)].map(
        ([, json = '']) => JSON.parse(json) as object,
      );
      assert.ok(events.length > 5);
      for (const one of events) fits({ $ref: `#/components/schemas/${event}` }, one, JSON.stringify(one).slice(0, 80));
    });
  }
});

function operationOf(key: string): Operation {
  const [method = '', path = ''] = key.split(' ');
  const operation = document.paths[path]?.[method.toLowerCase()];
  assert.ok(operation !== undefined, key);
  return operation;
}

function bodyOf(key: string): { schema: Schema; example?: unknown } {
  const content = operationOf(key).requestBody?.content['application/json'];
  assert.ok(content !== undefined, key);
  return { ...content, schema: resolve(content.schema) };
}

function answerOf(key: string): Schema {
  return operationOf(key).responses['200']?.content?.['application/json']?.schema ?? {};
}

function resolve(schema: Schema): Schema {
  const { $ref, allOf } = schema as { $ref?: string; allOf?: Schema[] };
  if (allOf?.[0] !== undefined) return { ...resolve(allOf[0]), ...schema };
  if ($ref === undefined) return schema;
  return resolve(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
}

function allows(schema: Schema, kind: string): boolean {
  const { type, anyOf } = schema as { type?: string | string[]; anyOf?: Schema[] };
  if (anyOf !== undefined) return anyOf.some((one) => allows(resolve(one), kind));
  if (type === undefined) return true;
  const types = [type].flat();
  return types.includes(kind) || (kind === 'number' && types.includes('integer'));
}

/** Fields that only the provider reads, and those that a client may also give in another way than it should. */
function isHandedOn(key: string, name: string): boolean {
  const lenient: Record<string, string[]> = {
    'POST /v1/video/generations': ['seconds', 'duration', 'webhook_url', 'metadata'],
    'POST /v1/videos': ['seconds', 'duration', 'webhook_url', 'metadata'],
    'POST /v1/videos/{task_id}/remix': ['webhook_url'],
    'POST /kling/v1/videos/text2video': ['webhook_url'],
    'POST /kling/v1/videos/image2video': ['webhook_url'],
    'POST /v1/images/edits': ['mask'],
    'POST /v1/edits': ['mask'],
  };
  const onlyTranslated =
    'seed presence_penalty frequency_penalty user logit_bias verbosity prompt_cache_key logprobs top_logprobs echo';
  const isOfText = key.includes('completions') || key === 'POST /v1/responses';
  return (isOfText && onlyTranslated.split(' ').includes(name)) || lenient[key]?.includes(name) === true;
}

/** Paths of the value's fields that its schema does not name; maps of the caller's own names are open. */
function undescribed(given: Schema, value: unknown, path: string): string[] {
  const schema = resolve(given);
  const { anyOf, oneOf, items, properties } = schema as {
    anyOf?: Schema[];
    oneOf?: Schema[];
    items?: Schema;
    properties?: Record<string, Schema>;
  };
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) {
    const found = choices.filter((one) => fitsKind(resolve(one), value)).map((one) => undescribed(one, value, path));
    return found.sort((a, b) => a.length - b.length)[0] ?? [`${path} (no alternative)`];
  }
  if (Array.isArray(value))
    return items === undefined ? [] : value.flatMap((one, index) => undescribed(items, one, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const property = properties[name];
    return property === undefined ? [`${path}.${name}`] : undescribed(property, inner, `${path}.${name}`);
  });
}

function fitsKind(schema: Schema, value: unknown): boolean {
  const type = (schema['properties'] as { type?: { const?: string } } | undefined)?.type?.const;
  if (type !== undefined && (value as { type?: unknown } | null)?.type !== type) return false;
  if (Array.isArray(value)) return allows(schema, 'array');
  return value === null ? [schema['type']].flat().includes('null') : allows(schema, typeof value);
}
