import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathHint } from './path-hint.ts';
import { publicRoutes } from './routes.ts';

const served = /^\/(?:v1\/chat\/completions|v1\/models(?:\/.+)?|v1\/messages|v1beta\/models\/.+|console\/.+)$/;
const hint = (path: string): string | undefined => pathHint(path, (one) => served.test(one));

test('a wrong base address leads to the path that was meant', () => {
  const meant: Record<string, string> = {
    '/chat/completions': '/v1/chat/completions',
    '/v1/v1/chat/completions': '/v1/chat/completions',
    '/v1/v1/messages': '/v1/messages',
    '/v1/chat/completions/': '/v1/chat/completions',
    '//v1//chat/completions': '/v1/chat/completions',
    '/v1/chat/completions/chat/completions': '/v1/chat/completions',
    '/api/v1/models': '/v1/models',
    '/models/': '/v1/models',
    '/v1/v1beta/models/m:generateContent': '/v1beta/models/m:generateContent',
  };
  for (const [path, expected] of Object.entries(meant)) assert.equal(hint(path), expected, path);
});

test('what is like no served path of the API has no hint', () => {
  for (const path of ['/', '/v1', '/favicon.ico', '/v1/chat', '/x/console/page', `/${'v1/'.repeat(500)}models`])
    assert.equal(hint(path), undefined, path);
});

test('a hint is always another path than the one asked for, and one that is served', () => {
  const shapes = publicRoutes.map(({ path, fits }) => ({
    shape: new RegExp(`^${path.replace(/\/\*$/, '/.+').replaceAll(':id', '[^/]+')}$`),
    fits,
  }));
  const isServed = (path: string): boolean =>
    shapes.some(({ shape, fits }) => shape.test(path) && fits?.test(path) !== false);
  const paths = [
    '/v1/conversations',
    '/v1/vector_stores',
    '/v1/threads/t/runs',
    '/v1/fine_tuning/jobs',
    '/v1/responses/r/cancel/more',
    '/v1/v1/responses/compact',
    '/responses/input_tokens',
    '/v1/images/variations/x',
    '/images/variations',
    '/videos/task_1/remix',
    '/v1/v2/chat',
    '/v2/chat/completions',
    '/v2/embed/v2/embed',
    '/v2/v1/embeddings',
    '/interactions',
    '/v1beta/v1beta/interactions',
    '/v2/interactions/x',
    '/v1/chat',
    '/v2/tokenize',
  ];
  const hinted = paths.flatMap((path) => {
    const found = pathHint(path, isServed);
    if (found === undefined) return [];
    assert.notEqual(found, path);
    assert.ok(isServed(found), `${path} leads to ${found}`);
    return [path];
  });
  assert.ok(hinted.length > 5, `only ${hinted.join(', ')}`);
});
