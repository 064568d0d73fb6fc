import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldParts } from './fold-parts.ts';
import type { StreamPart } from './stream-part.ts';
import { NO_USAGE } from './usage.ts';

const start: StreamPart = { type: 'start', id: 'a' };
const finish: StreamPart = { type: 'finish', finish: { reason: 'stop' }, usage: undefined };
const signature = { protocol: 'p', value: 's' };

test('blocks become parts in the order of their beginning, also when they interleave', () => {
  const parts: StreamPart[] = [
    start,
    { type: 'block-start', index: 0, block: { type: 'reasoning' } },
    { type: 'delta', index: 0, text: 'hm' },
    { type: 'signature', index: 0, signature },
    { type: 'block-start', index: 1, block: { type: 'tool-call', id: 'c', name: 'f' } },
    { type: 'block-start', index: 2, block: { type: 'text' } },
    { type: 'delta', index: 1, text: '{"a":' },
    { type: 'delta', index: 2, text: 'ye' },
    { type: 'delta', index: 1, text: '1}' },
    { type: 'delta', index: 2, text: 's' },
    { type: 'citation', index: 2, citation: { url: 'u' } },
    { type: 'signature', index: 1, signature },
    { type: 'block-end', index: 1 },
    { type: 'block-end', index: 2 },
    finish,
  ];
  assert.deepEqual(foldParts(parts), {
    id: 'a',
    content: [
      { type: 'reasoning', text: 'hm', signature, path: '' },
      { type: 'tool-call', id: 'c', name: 'f', arguments: '{"a":1}', signature, path: '' },
      { type: 'text', text: 'yes', citations: [{ url: 'u' }], path: '' },
    ],
    finish: { reason: 'stop' },
    usage: undefined,
  });
});

test('usage that was reported at the start stands where the end reports none', () => {
  const usage = { ...NO_USAGE, input: 3 };
  assert.deepEqual(foldParts([{ ...start, usage }, finish])?.usage, usage);
  const last = { ...usage, output: 2 };
  assert.deepEqual(
    foldParts([
      { ...start, usage },
      { ...finish, usage: last },
    ])?.usage,
    last,
  );
});

test('parts without an end, or with an error, are no result; parts of blocks that never began are passed over', () => {
  assert.equal(foldParts([start]), undefined);
  assert.equal(foldParts([start, { type: 'error', message: 'm', code: undefined }, finish]), undefined);
  assert.deepEqual(foldParts([start, { type: 'delta', index: 9, text: 'x' }, finish])?.content, []);
});
