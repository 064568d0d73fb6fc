import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGeneration } from './read-generation.ts';

function reasoningOf(effort: string | undefined): unknown {
  const wire = { model: 'm', messages: [{ role: 'user', content: 'x' }], reasoning_effort: effort };
  return readGeneration(Buffer.from(JSON.stringify(wire))).settings.reasoning;
}

test('a chat caller who asks for reasoning is shown it, having no field to say so', () => {
  assert.deepEqual(reasoningOf('low'), { effort: 'low', isShown: true });
  assert.deepEqual(reasoningOf('none'), { effort: 'none' });
  assert.equal(reasoningOf(undefined), undefined);
});
