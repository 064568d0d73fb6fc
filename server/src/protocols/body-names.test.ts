import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marksCache } from './body-names.ts';

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

test('a body marks what to keep by either name', () => {
  assert.equal(marksCache(bytes({ system: [{ text: 'x', cache_control: { type: 'ephemeral' } }] })), true);
  assert.equal(marksCache(bytes({ input: [{ prompt_cache_breakpoint: {} }] })), true);
  assert.equal(marksCache(bytes({ messages: [] })), false);
});
