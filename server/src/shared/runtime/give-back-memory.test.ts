import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

test('several threads of a process may give back at once, though they share its flags', async () => {
  const file = new URL('give-back-memory.ts', import.meta.url).href;
  const script = `import { giveBackMemory } from '${file}'; for (let times = 0; times < 10; times++) giveBackMemory();`;
  const threads = Array.from({ length: 4 }, () => new Worker(new URL(`data:text/javascript,${encodeURI(script)}`)));
  const ends = await Promise.all(threads.map((thread) => once(thread, 'exit')));
  assert.deepEqual(ends, [[0], [0], [0], [0]]);
});
