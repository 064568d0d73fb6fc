import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../protocols/protocol.ts';
import { addressUnder } from '../provider.ts';
import { azure } from './provider.ts';

function pathOf(operation: Operation, apiVersion?: string, baseUrl = 'https://r.openai.azure.com'): string {
  const path = azure.paths[operation];
  assert.ok(typeof path === 'function');
  return path('my deployment', false, { baseUrl, credential: '', options: { apiVersion } });
}

test('without a version the paths are those of /openai/v1 (contract-2 9)', () => {
  assert.equal(pathOf('chat'), '/openai/v1/chat/completions');
  assert.equal(pathOf('responses'), '/openai/v1/responses');
  assert.equal(pathOf('image-edit'), '/openai/v1/images/edits');
});

test('with a dated version they name the deployment and the version (contract-2 9)', () => {
  assert.equal(
    pathOf('chat', '2024-10-21'),
    '/openai/deployments/my%20deployment/chat/completions?api-version=2024-10-21',
  );
  assert.equal(pathOf('speech', 'v'), '/openai/deployments/my%20deployment/audio/speech?api-version=v');
  assert.equal(pathOf('responses', '2025-04-01-preview'), '/openai/responses?api-version=2025-04-01-preview');
});

test('an address as the portal shows it, with /openai or /openai/v1 at its end, gets no second one (contract-2 9)', () => {
  for (const end of ['/openai/v1', '/openai/v1/', '/openai', '/openai/', '', '/']) {
    const base = `https://r.openai.azure.com${end}`;
    const whole = (operation: Operation): string => addressUnder(base, pathOf(operation, undefined, base)).path;
    assert.equal(whole('chat'), '/openai/v1/chat/completions', base);
    assert.equal(whole('responses'), '/openai/v1/responses', base);
    assert.equal(whole('realtime'), '/openai/v1/realtime?model=my%20deployment', base);
  }
  const base = 'https://r.openai.azure.com/openai/';
  const dated = '/openai/deployments/my%20deployment/chat/completions?api-version=v';
  assert.equal(addressUnder(base, pathOf('chat', 'v', base)).path, dated);
});
