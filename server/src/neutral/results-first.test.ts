import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from './conversation.ts';
import { resultsFirst } from './results-first.ts';

const message = (path: string): Message => {
  const roles = { s: 'system', u: 'user', a: 'assistant', t: 'tool' } as const;
  return { role: roles[path[0] as keyof typeof roles], content: [], path };
};
const order = (paths: string): string =>
  resultsFirst(paths.split(' ').map(message))
    .map(({ path }) => path)
    .join(' ');

test('results stand before what else is said until the next turn of the assistant, each kind in its order', () => {
  assert.equal(order('u1 a1 t1 u2 t2 s1 t3 u3 a2 u4 t4'), 'u1 a1 t1 t2 t3 u2 s1 u3 a2 t4 u4');
});

test('a conversation that is in order stays as it is', () => {
  for (const paths of ['s1 u1', 'u1 a1 t1 t2 a2 u2', 's1 u1 a1 u2 a2', 'u1 t1 u2']) assert.equal(order(paths), paths);
});
