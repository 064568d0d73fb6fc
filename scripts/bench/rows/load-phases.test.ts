import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStolen } from '../processes/stolen-time.ts';
import { Figures } from '../report/figures.ts';
import { LoadPhases } from './load-phases.ts';

test('every phase is measured once and counts, whatever the host took of it; how many it disturbed is reported', async () => {
  const shares = [0.3, 0.01, 0.02];
  let measured = 0;
  const phases = new LoadPhases(() => () => shares[measured - 1] ?? 0);
  const figures = new Figures();
  for (let count = 0; count < 3; count++)
    await phases.measure(figures, 'nginx', async () => ({ p50: ++measured, p99: 10 * measured }));
  assert.deepEqual(figures.of('p50', 'nginx'), [1, 2, 3]);
  assert.deepEqual(figures.of('p99', 'nginx'), [10, 20, 30]);
  assert.deepEqual([phases.count, phases.disturbed, phases.worst], [3, 2, 0.3]);
});

test('a phase that gives no figure is none', async () => {
  const phases = new LoadPhases(() => () => 0.5);
  await phases.measure(new Figures(), 'nginx', async () => undefined);
  assert.deepEqual([phases.count, phases.disturbed, phases.worst], [0, 0, 0]);
});

test('stolen time is read core by core, and not known where the system does not tell', () => {
  const stat = 'cpu  9 0 9 9 9 0 9 57 0 0\ncpu0 1 0 1 1 1 0 1 22 0 0\ncpu1 1 0 1 1 1 0 1 35 0 0\nintr 5\n';
  assert.deepEqual(readStolen(stat), [220, 350]);
  assert.equal(readStolen(''), undefined);
});
