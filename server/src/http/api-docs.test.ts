import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { type OperatorDependencies, registerOperatorRoutes } from '../operator/routes.ts';
import { registerApiDocs } from './api-docs.ts';

async function makeApp(): Promise<FastifyInstance> {
  const app = Fastify();
  registerApiDocs(app);
  app.post('/v1/plain', async () => 'a route without a schema');
  const dependencies = { store: { reads: undefined }, clock: { now: () => 0 } } as unknown as OperatorDependencies;
  await app.register(async (scope) => registerOperatorRoutes(scope, dependencies), { prefix: '/operator/v1' });
  return app;
}

interface Operation {
  tags: string[];
  summary: string;
  responses: Record<string, unknown>;
  security: object[];
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; responses: object; securitySchemes: Record<string, unknown> };
}

const nouns = {
  '/accounts': 'get post',
  '/accounts/{id}': 'get patch',
  '/accounts/{id}/credits': 'post',
  '/groups': 'get',
  '/groups/{name}': 'get put',
  '/tokens': 'get post',
  '/tokens/{id}': 'get patch delete',
  '/tokens/{id}/rotate': 'post',
  '/channels': 'get post',
  '/channels/{id}': 'get patch delete',
  '/channels/{id}/test': 'post',
  '/providers': 'get',
  '/models': 'get',
  '/models/{id}': 'get put delete',
  '/flags': 'get',
  '/flags/{name}': 'get put delete',
  '/requests': 'get',
  '/requests/{id}': 'get',
  '/ledger': 'get',
  '/audit': 'get',
  '/operators': 'get post',
  '/operators/{id}': 'patch',
  '/operator-keys': 'get post',
  '/operator-keys/{id}': 'get patch delete',
  '/session': 'post get delete',
  '/session/password': 'post',
};

test('the OpenAPI document describes every operator path, with errors, and every reference in it leads somewhere', async () => {
  const app = await makeApp();
  const answer = await app.inject('/openapi.json');
  assert.equal(answer.statusCode, 200);
  const document = answer.json<Document>();
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info.title, 'Tollgate');
  assert.match(document.info.version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(Object.keys(document.components.securitySchemes), [
    'bearer',
    'apiKeyHeader',
    'vendorKeyHeader',
    'apiKeyQuery',
    'operatorKey',
    'operatorSession',
    'portalSession',
  ]);
  for (const [path, methods] of Object.entries(nouns)) {
    const described = document.paths[`/operator/v1${path}`] ?? {};
    for (const method of methods.split(' ')) {
      const operation = described[method];
      assert.ok(operation !== undefined, `${method} ${path}`);
      assert.equal(operation.tags.length, 1);
      assert.ok(operation.summary.length > 0);
      for (const status of ['400', '401', '403'])
        assert.ok(status in operation.responses, `${method} ${path} ${status}`);
    }
  }
  for (const path of ['/session/oidc/start', '/session/oidc/callback']) {
    const { responses, security } = document.paths[`/operator/v1${path}`]?.['get'] ?? { responses: {} };
    assert.deepEqual([Object.keys(responses), security], [['302', '400', '404'], []], path);
  }
  const references = new Set(Array.from(answer.body.matchAll(/"\$ref":"([^"]+)"/g), ([, target]) => target ?? ''));
  assert.ok(references.size > 20);
  const { schemas, responses } = document.components;
  for (const target of references) assert.ok((target.split('/').at(-1) ?? '') in { ...schemas, ...responses }, target);
  assert.ok(!('AccountInput' in document.components.schemas), 'unused schemas are left out');
  await app.close();
});

interface Parameter {
  name: string;
  in: string;
}
interface PublicOperation extends Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
  responses: Record<string, { description: string; content: Record<string, { schema: { properties: object } }> }>;
}

test('the OpenAPI document describes every public path, with its parameters, bodies and errors', async () => {
  const app = await makeApp();
  const { paths, components } = (await app.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, PublicOperation>>;
    components: { schemas: Record<string, { properties: object }> };
  }>();
  const resolved = (schema: object = {}): { properties: object } => {
    const name = '$ref' in schema ? String(schema.$ref).split('/').at(-1) : undefined;
    const found = name === undefined ? schema : components.schemas[name];
    return { properties: {}, ...found };
  };
  const operation = (method: string, path: string): PublicOperation => {
    const found = paths[path]?.[method];
    assert.ok(found !== undefined, `${method} ${path}`);
    return found;
  };
  for (const [path, methods] of Object.entries(paths)) {
    if (path.startsWith('/operator/')) continue;
    assert.doesNotMatch(path, /\*|:model/);
    for (const [method, { parameters = [], responses, ...described }] of Object.entries(methods)) {
      if (!('tags' in described)) continue; // the route of this test
      const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      assert.deepEqual(inPath, named, `${method} ${path}`);
      assert.ok(responses['200']?.description !== 'Default Response');
      for (const status of ['400', '401', '402', '403', '404', '429', '500', '502', '503'])
        assert.ok(status in responses, `${method} ${path} ${status}`);
      if (method === 'post' && !path.endsWith('/cancel')) assert.ok(described.requestBody !== undefined, path);
    }
  }
  operation('get', '/v1/responses/{response_id}/input_items');
  operation('post', '/v1/responses/{response_id}/cancel');
  operation('delete', '/v1/videos/{task_id}');
  operation('get', '/v1/video/generations/{task_id}');
  const content = operation('get', '/v1/videos/{task_id}/content').responses['200']?.content ?? {};
  assert.deepEqual(Object.keys(content), ['video/mp4']);
  const list = operation('get', '/v1/videos').parameters?.map(({ name }) => name);
  assert.deepEqual(list, ['limit', 'order', 'after']);
  const version = operation('post', '/v1/messages').parameters?.[0];
  assert.deepEqual([version?.name, version?.in], ['anthropic-version', 'header']);
  const fields = (path: string): string[] =>
    Object.keys(resolved(operation('post', path).requestBody?.content['application/json']?.schema).properties);
  assert.ok(fields('/v1/messages').includes('max_tokens'));
  assert.ok(fields('/v1/messages/count_tokens').includes('messages'));
  assert.ok(fields('/v1beta/models/{model}:generateContent').includes('contents'));
  assert.ok(fields('/v1beta/models/{model}:batchEmbedContents').includes('requests'));
  const error = (path: string): string[] => {
    const { $ref } = operation('post', path).responses['400'] as unknown as { $ref: string };
    return Object.keys(resolved({ $ref: $ref.replace(/\d+$/, '') }).properties);
  };
  assert.deepEqual(error('/v1/video/generations'), ['code', 'message', 'data', 'error']);
  assert.deepEqual(error('/v1/messages'), ['type', 'error', 'request_id']);
  assert.deepEqual(error('/v1/videos'), ['error']);
  await app.close();
});

test('/docs is served from here alone', async () => {
  const app = await makeApp();
  const page = await app.inject('/docs/');
  assert.equal(page.statusCode, 200);
  assert.deepEqual(page.body.match(/(?:https?:)?\/\/[a-z0-9.-]+\.[a-z]+/gi), null, 'no address of another host');
  assert.deepEqual(
    Array.from(page.body.matchAll(/<script src="([^"]+)"/g), ([, source]) => source),
    ['./static/swagger-ui-bundle.js', './static/swagger-ui-standalone-preset.js', './static/swagger-initializer.js'],
  );
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /connect-src 'self'/);
  assert.doesNotMatch(policy, /https?:|\*/);
  const shown = (await app.inject('/docs/json')).json<Document>();
  assert.deepEqual(shown, (await app.inject('/openapi.json')).json());
  assert.ok('/v1/chat/completions' in shown.paths, 'the public API stands there too');
  const script = await app.inject('/docs/static/swagger-ui-bundle.js');
  assert.equal(script.statusCode, 200);
  assert.ok(script.body.length > 1_000_000);
  const lost = await app.inject('/docs/static/nope.js');
  assert.equal(lost.statusCode, 404);
  assert.equal(lost.json<{ error: { message: string } }>().error.message, 'There is nothing at /docs/static/nope.js.');
  await app.close();
});
