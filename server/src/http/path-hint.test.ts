import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathHint } from './path-hint.ts';

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
