// The short form of THREE-NODES: three nodes on one PostgreSQL and Redis, one killed and one restarted under load.
// FLEET_ROUNDS makes it longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threeNodes } from './cases/three-nodes.ts';
import { runFault } from './command/run-fault.ts';

const ROUNDS = Number(process.env['FLEET_ROUNDS'] ?? 1);
const databaseServer = process.env['TEST_DATABASE_URL'];
const skip = databaseServer === undefined ? 'TEST_DATABASE_URL is not set' : false;

test(
  'three nodes, one killed and one restarted under load: books, tasks and streams are whole',
  { skip },
  async (t) => {
    const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
    t.diagnostic(`FAULT_SEED=${seed}`);
    const options = { rounds: ROUNDS, seconds: undefined, seed, databaseServer };
    const { result, reason, notes } = await runFault(threeNodes, 'postgres', options);
    if (result === 'skipped') return t.skip(reason);
    for (const note of notes) t.diagnostic(note);
    assert.equal(result, 'passed', reason);
  },
);
