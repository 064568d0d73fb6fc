import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStolen } from '../processes/stolen-time.ts';
import { Figures } from '../report/figures.ts';
import { Calm, type Found } from './calm.ts';

/** Stretches of which the host takes these parts, one after another; what is measured is their number. */
async function run(shares: readonly number[], patienceSeconds: number) {
  let tries = 0;
  const calm = new Calm(() => () => shares[tries - 1] ?? 0);
  calm.grant(patienceSeconds);
  const figures = new Figures();
  const stretch = async (): Promise<Found> => ({ p50: ++tries });
  await calm.measure(figures, 'nginx', stretch);
  return { tries, counted: figures.of('p50', 'nginx'), first: calm.firstTries.of('p50', 'nginx'), counts: calm.counts };
}

test('a calm stretch is measured once', async () => {
  const { counted, counts } = await run([0.01], 60);
  assert.deepEqual(counted, [1]);
  assert.deepEqual(counts, { stretches: 1, repeated: 0, disturbed: 0 });
});

test('one that the host disturbed is measured again until it is calm; what came first is kept beside it', async () => {
  const { counted, first, counts } = await run([0.3, 0.02, 0], 60);
  assert.deepEqual([counted, first], [[3], [1]]);
  assert.deepEqual(counts, { stretches: 1, repeated: 1, disturbed: 0 });
});

test('of tries that are all disturbed the calmest counts, whatever it has shown', async () => {
  const { tries, counted, counts } = await run([0.3, 0.2, 0.05, 0.4, 0.3, 0.2, 0], 60);
  assert.deepEqual([tries, counted], [6, [3]]);
  assert.deepEqual(counts, { stretches: 1, repeated: 1, disturbed: 1 });
});

test('without patience nothing is measured again', async () => {
  const { counted, counts } = await run([0.3, 0], 0);
  assert.deepEqual(counted, [1]);
  assert.deepEqual(counts, { stretches: 1, repeated: 0, disturbed: 1 });
});

test('a stretch that tells nothing is none', async () => {
  const calm = new Calm(() => () => 0);
  await calm.measure(new Figures(), 'nginx', async () => undefined);
  assert.equal(calm.counts.stretches, 0);
});

test('stolen time is read core by core, and not known where the system does not tell', () => {
  const stat = 'cpu  9 0 9 9 9 0 9 57 0 0\ncpu0 1 0 1 1 1 0 1 22 0 0\ncpu1 1 0 1 1 1 0 1 35 0 0\nintr 5\n';
  assert.deepEqual(readStolen(stat), [220, 350]);
  assert.equal(readStolen(''), undefined);
});
