import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestRow } from '../store/ledger/operations.ts';
import { Checkpoints } from './checkpoints.ts';

function setUp() {
  const written: number[] = [];
  const answers: (() => void)[] = [];
  const stream = { tokens: 0, due: true };
  const checkpoints = new Checkpoints({
    checkpoint: (row) =>
      new Promise<void>((resolve) => {
        written.push(row.total_ms);
        answers.push(resolve);
      }),
  });
  const followed = checkpoints.follow({
    output: () => stream.tokens,
    row: () => (stream.due ? ({ total_ms: stream.tokens } as RequestRow) : undefined),
  });
  const answer = async (): Promise<void> => {
    answers.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { written, answer, stream, checkpoints, followed };
}

describe('checkpoints of a stream', () => {
  test('are written at once when much was said, and within two seconds when little was', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { written, answer, stream, checkpoints, followed } = setUp();
    stream.tokens = 999;
    followed.spoke();
    assert.deepEqual(written, []);
    stream.tokens = 1_000;
    followed.spoke();
    assert.deepEqual(written, [1_000]);
    stream.tokens = 2_500;
    followed.spoke();
    assert.deepEqual(written, [1_000], 'one at a time');
    await answer();
    followed.spoke();
    assert.deepEqual(written, [1_000, 2_500]);
    await answer();
    stream.tokens = 2_501;
    t.mock.timers.tick(1_800);
    assert.deepEqual(written, [1_000, 2_500, 2_501]);
    await answer();
    t.mock.timers.tick(5_000);
    assert.equal(written.length, 3, 'silence is not worth a line');
    checkpoints.forget(followed);
    stream.tokens = 9_000;
    t.mock.timers.tick(5_000);
    assert.equal(written.length, 3);
  });

  test('are left out while nothing is due, and a failed one is made up for by the next', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { written, stream, checkpoints, followed } = setUp();
    stream.due = false;
    stream.tokens = 5;
    t.mock.timers.tick(1_800);
    assert.deepEqual(written, []);
    checkpoints.forget(followed);

    let fails = 0;
    const failing = new Checkpoints({ checkpoint: async () => Promise.reject(new Error(`away ${fails++}`)) });
    let tokens = 1;
    const other = failing.follow({ output: () => tokens, row: () => ({}) as RequestRow });
    t.mock.timers.tick(1_800);
    await new Promise((resolve) => setImmediate(resolve));
    tokens = 2;
    t.mock.timers.tick(1_800);
    assert.equal(fails, 2);
    failing.forget(other);
  });
});
