// The short form of BATCH: 200 lines, each node killed in turn. BATCH_LINES makes it longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killedBatch } from './cases/batches.ts';
import { runFault } from './command/run-fault.ts';

const LINES = Number(process.env['BATCH_LINES'] ?? 200);
const databaseServer = process.env['TEST_DATABASE_URL'];

for (const store of killedBatch.stores) {
  const skip = store === 'postgres' && databaseServer === undefined ? 'TEST_DATABASE_URL is not set' : false;
  test(
    `a batch on ${store}, killed again and again: every line answered once, charged once (contract-2 8)`,
    { skip },
    async (t) => {
      const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
      t.diagnostic(`FAULT_SEED=${seed}`);
      const options = { rounds: LINES, seconds: undefined, seed, databaseServer };
      const { result, reason, notes } = await runFault(killedBatch, store, options);
      for (const note of notes) t.diagnostic(note);
      assert.equal(result, 'passed', reason);
    },
  );
}
