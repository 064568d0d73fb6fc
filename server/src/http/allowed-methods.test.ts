import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { AllowedMethods } from './allowed-methods.ts';
import { refusePath } from './refuse-path.ts';

async function learned(): Promise<AllowedMethods> {
  const app = Fastify({ exposeHeadRoutes: false });
  const allowed = new AllowedMethods();
  app.get('/before', () => 'ok');
  allowed.watch(app);
  app.post('/v1/chat/completions', () => 'ok');
  app.get('/v1/models', () => 'ok');
  app.get('/v1/models/*', () => 'ok');
  app.route({ method: ['PUT', 'DELETE'], url: '/v1/models/special', handler: () => 'ok' });
  await app.register(
    async (scope) => {
      scope.get('/tokens/:id', () => 'ok');
      scope.patch('/tokens/:id', () => 'ok');
      scope.post('/tokens/:id/rotate', () => 'ok');
    },
    { prefix: '/operator/v1' },
  );
  app.get('/a.b+c', () => 'ok');
  app.get('/v1/videos/:id', () => 'ok');
  await app.ready();
  return allowed;
}

test('a path tells the methods of every route that fits it, sorted', async () => {
  const allowed = await learned();
  const expected: Record<string, string[]> = {
    '/v1/chat/completions': ['POST'],
    '/v1/models': ['GET'],
    '/v1/models/vendor/name:free': ['GET'],
    '/v1/models/special': ['DELETE', 'GET', 'PUT'],
    '/operator/v1/tokens/tok_1': ['GET', 'PATCH'],
    '/operator/v1/tokens/tok_1/rotate': ['POST'],
    '/a.b+c': ['GET'],
  };
  for (const [path, methods] of Object.entries(expected)) assert.deepEqual(allowed.of(path), methods, path);
});

test('where no route fits there is no method: 404, not 405', async () => {
  const allowed = await learned();
  for (const path of [
    '/',
    '',
    '/v1',
    '/v1/chat/completions/x',
    '/x/v1/models',
    '/v1/models/',
    '/operator/v1/tokens/',
    '/operator/v1/tokens/a/b',
    '/aXb+c',
    '/before',
  ])
    assert.deepEqual(allowed.of(path), [], path);
});

test("an unknown kind of video under Kling's paths does not lead to a task of that name (contract-2 9)", async () => {
  const allowed = await learned();
  for (const kind of ['multi-image2video', 'lip-sync', 'text2video/extra'])
    assert.doesNotMatch(refusePath(allowed, 'POST', `/kling/v1/videos/${kind}`).message, /Did you mean/, kind);
  assert.match(refusePath(allowed, 'GET', '/v1/v1/videos/task_1').message, /Did you mean \/v1\/videos\/task_1\?/);
  assert.match(refusePath(allowed, 'GET', '/models/vendor/name').message, /Did you mean \/v1\/models\/vendor\/name\?/);
});

test('a long path of underscores is judged at once (promise B-11)', async () => {
  const app = Fastify({ exposeHeadRoutes: false });
  const allowed = new AllowedMethods();
  allowed.watch(app);
  app.get('/operator/v1/accounts/:id/members/:member_id', () => 'ok');
  await app.ready();
  const path = `/q/operator/v1/accounts/${'_'.repeat(4_000)}/members/${'_'.repeat(8_000)}/x`;
  const judged = new Promise((resolve) => resolve(refusePath(allowed, 'GET', path).message));
  assert.match(String(await judged), /^There is nothing at/);
  // Where it tries every way to share the underscores out it does not come back within minutes.
  const started = performance.now();
  assert.equal(allowed.isLikely(path.slice(2)), false);
  assert.ok(performance.now() - started < 5_000);
});
