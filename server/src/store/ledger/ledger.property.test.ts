// The rules of money under everything that can happen to a fleet (FT-30): parallel processes, crashes between any two steps,
// batches sent twice, sweepers, sleepers that come back, changed prices, new periods. A failure prints its seed and path;
// LEDGER_SEED and LEDGER_PATH replay it.
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LedgerWorld, type Step, type StepKind } from '../../testing/ledger-world.ts';

const RUNS = Number(process.env['LEDGER_RUNS'] ?? 10_000);

/** How often each kind of step comes. */
const KINDS: Record<StepKind, number> = {
  begin: 8,
  finish: 5,
  fail: 2,
  progress: 3,
  commit: 8,
  'lose-answer': 2,
  'lose-batch': 1,
  crash: 1,
  'come-back': 1,
  sweep: 2,
  reprice: 1,
  credit: 1,
  wait: 1,
};

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    ...Object.entries(KINDS).map(([kind, weight]) => ({ arbitrary: fc.constant(kind as StepKind), weight })),
  ),
  which: fc.nat({ max: 11 }),
  size: fc.nat({ max: 200 }),
});

describe('the ledger', () => {
  test(`keeps its identities through ${RUNS} random stories of holds, ends, crashes, replays and changes`, () => {
    const [seed, path] = [process.env['LEDGER_SEED'], process.env['LEDGER_PATH']];
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), (steps) => {
        const world = new LedgerWorld();
        for (const one of steps) {
          world.take(one);
          world.check();
        }
        world.rest();
        world.check();
      }),
      {
        numRuns: RUNS,
        ...(seed !== undefined && { seed: Number(seed) }),
        ...(path !== undefined && { path }),
      },
    );
  });
});
