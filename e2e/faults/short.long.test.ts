// The short form of `npm run faults` in `npm test`: a few rounds of the faults that need no long wait and that no other test
// here makes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BOTH, promisedRounds } from './command/fault.ts';
import { faults } from './command/faults.ts';
import { readOptions } from './command/options.ts';
import { writeReport } from './command/report.ts';
import { type FaultResult, runFault } from './command/run-fault.ts';
import { putSoakSection } from './command/soak-section.ts';

/** Rounds by fault. */
const SHORT: Record<string, number> = {
  'FT-01': 2,
  'FT-09': 1,
  'FT-13': 16,
  'FT-14': 1,
  'FT-15': 1,
  'FT-22': 1,
  'FT-29': 1,
  'FT-30': 4,
};
/** What a provider does is the same to every store; `npm run faults` makes these on both. */
const ON_ONE_STORE = new Set(['FT-13', 'FT-14', 'FT-15']);
const databaseServer = process.env['TEST_DATABASE_URL'];

const results: FaultResult[] = [];
// Two at a time: most of their time is waiting.
describe('a few rounds', { concurrency: 2 }, () => {
  for (const fault of faults.filter(({ id }) => SHORT[id] !== undefined))
    for (const store of ON_ONE_STORE.has(fault.id) ? fault.stores.slice(0, 1) : fault.stores) {
      const skip = store === 'postgres' && databaseServer === undefined ? 'TEST_DATABASE_URL is not set' : false;
      test(`${fault.id} on ${store}: ${fault.title}`, { skip }, async (t) => {
        const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
        t.diagnostic(`FAULT_SEED=${seed}`);
        const result = await runFault(fault, store, { rounds: SHORT[fault.id], seconds: 1, seed, databaseServer });
        results.push(result);
        if (result.result === 'skipped') return t.skip(result.reason);
        assert.equal(result.result, 'passed', result.reason);
      });
    }
});

test('the report names every fault with its rounds, those promised, its result and four sums', () => {
  const report = writeReport(results, 1);
  for (const { fault, store, rounds, sums } of results) {
    const counts = `${rounds} \\| ${promisedRounds(fault)}`;
    assert.match(report, new RegExp(`\\| ${fault.id} \\| .* \\| ${store} \\| ${counts} \\| passed \\|`));
    if (sums !== undefined) assert.match(report, new RegExp(`\\| ${fault.id} \\| ${store} \\| ${sums.calls} \\|`));
  }
});

test('the command line is checked', () => {
  assert.deepEqual(
    readOptions(['--only', 'ft-01,FT-26', '--seconds', '60', '--store', 'sqlite', '--seed', '5', '--full'], faults),
    {
      only: ['FT-01', 'FT-26'],
      rounds: undefined,
      seconds: 60,
      isFleet: false,
      core: undefined,
      stores: ['sqlite'],
      seed: 5,
      isFull: true,
      write: false,
      list: false,
    },
  );
  assert.deepEqual(readOptions([], faults)?.stores, BOTH);
  assert.equal(readOptions(['--help'], faults), undefined);
  assert.throws(() => readOptions(['--only', 'FT-999'], faults), /no FT-999/);
  assert.throws(() => readOptions(['--rounds', 'many'], faults), /--rounds must be a number/);
  assert.throws(() => readOptions(['--store', 'files'], faults), /--store must be/);
  const soak = readOptions(['--soak', '60m', '--write'], faults);
  assert.deepEqual([soak?.only, soak?.seconds, soak?.write], [['FT-26'], 3_600, true]);
  const fleet = readOptions(['--soak', '2h', '--fleet', '--core', '0.1'], faults);
  assert.deepEqual([fleet?.only, fleet?.seconds, fleet?.core], [['SOAK-FLEET'], 7_200, 0.1]);
  assert.throws(() => readOptions(['--fleet'], faults), /--fleet needs --soak/);
  assert.throws(() => readOptions(['--soak', '2h', '--core', '2'], faults), /--core must be a number/);
  assert.throws(() => readOptions(['--soak', 'long'], faults), /--soak must be a length/);
  assert.throws(() => readOptions(['--soak', '60m', '--only', 'FT-01'], faults), /leave out --only/);
  const oneStore = ['--only', 'FT-01,O-07', '--store', 'sqlite'];
  assert.throws(() => readOptions(oneStore, faults), /O-07 is a fault of postgres only/);
  assert.throws(() => readOptions(['--only', 'FT-01', '--write'], faults), /the report would lose the others/);
});

test("the soak's figures stand between marks and leave the rest of the page alone", () => {
  const first = putSoakSection(undefined, 'figures of one');
  assert.match(first, /^# Benchmarks\n\n<!-- soak -->\n[\s\S]*figures of one\n\n<!-- \/soak -->\n$/);
  const page = `# Benchmarks\n\nabove\n\n${first.slice(first.indexOf('<!--'))}\nbelow\n`;
  const second = putSoakSection(page, 'figures of two');
  assert.equal(second, page.replace('figures of one', 'figures of two'));
  assert.ok(putSoakSection('# Benchmarks\n', 'new').startsWith('# Benchmarks\n\n<!-- soak -->'));
  const both = putSoakSection(second, 'figures of a fleet', 'fleet soak');
  assert.ok(both.startsWith(second.trimEnd()) && both.includes('<!-- fleet soak -->'));
  assert.equal(putSoakSection(both, 'figures of one'), putSoakSection(page, 'figures of a fleet', 'fleet soak'));
});
