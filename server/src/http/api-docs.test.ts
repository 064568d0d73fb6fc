import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { type OperatorDependencies, registerOperatorRoutes } from '../operator/routes.ts';
import { registerApiDocs } from './api-docs.ts';

async function makeApp(): Promise<FastifyInstance> {
  const app = Fastify();
  await registerApiDocs(app);
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
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
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
    'apiKeyQuery',
    'operatorKey',
    'operatorSession',
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
  const references = new Set(Array.from(answer.body.matchAll(/"\$ref":"([^"]+)"/g), ([, target]) => target ?? ''));
  assert.ok(references.size > 20);
  for (const target of references) {
    assert.ok((target.split('/').at(-1) ?? '') in document.components.schemas, target);
  }
  assert.ok(!('AccountInput' in document.components.schemas), 'unused schemas are left out');
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
  const script = await app.inject('/docs/static/swagger-ui-bundle.js');
  assert.equal(script.statusCode, 200);
  assert.ok(script.body.length > 1_000_000);
  await app.close();
});
