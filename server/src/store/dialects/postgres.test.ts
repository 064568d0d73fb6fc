import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { makeDatabase } from '../../testing/stores.ts';
import { openPostgresStore } from './postgres.ts';

const server = process.env['TEST_DATABASE_URL'];
const skip = server === undefined ? 'TEST_DATABASE_URL is not set; npm test sets it' : false;

/** Less than the ten seconds after which a forgotten pool lets go by itself. */
const FORGOTTEN_MS = 8_000;

const connections = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test(
  'a store that is closed leaves no connection behind, also when nobody has asked it anything',
  { skip },
  async () => {
    const databaseUrl = await makeDatabase(server ?? '');
    const before = connections();
    const store = await openPostgresStore(databaseUrl);
    assert.ok(connections() > before);
    await store.close();
    const end = performance.now() + FORGOTTEN_MS;
    while (connections() > before && performance.now() < end) await turn();
    assert.equal(connections(), before);
  },
);
