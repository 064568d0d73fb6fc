// A gateway whose lists come from a real streaming replica: what operators see right after a change, and what is shown when the
// replica does not keep up.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type StartedPostgres, startPostgres, startReplica } from '../scripts/postgres.mjs';
import { waitUntil } from '../server/src/testing/wait-until.ts';
import { runCli } from './cli/run-cli.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

let primary: StartedPostgres & { data: string };
let replica: StartedPostgres;
let gateway: TestGateway;

before(async () => {
  primary = await startPostgres(undefined, { settings: ['synchronous_commit=on'] });
  replica = await startReplica(primary);
  gateway = await startTestGateway({ databaseUrl: primary.url, settings: { DATABASE_READ_URL: replica.url } });
});

after(async () => {
  await gateway.stop();
  await replica.stop();
  await primary.stop();
});

const readiness = async (): Promise<Record<string, string>> =>
  (await fetch(`${gateway.address}/readyz`)).json() as Promise<Record<string, string>>;
const series = async (name: string): Promise<number> => {
  const text = await (await fetch(`${gateway.address}/metrics`)).text();
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
};
const namesOf = async (): Promise<string[]> => {
  const { data } = await gateway.operator<{ data: { name: string }[] }>('GET', '/accounts?limit=200');
  return data.map(({ name }) => name);
};

async function onReplica(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: replica.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

const doctor = () => runCli(['doctor'], { DATABASE_URL: primary.url, DATABASE_READ_URL: replica.url, PORT: '0' });

test('a list has a change as soon as that is answered, also when the replica does not keep up (contract-2 10)', async () => {
  await waitUntil(async () => (await readiness())['lists'] === undefined, 'the replica is not used');
  const { id } = await gateway.operator<{ id: string }>('POST', '/accounts', { name: 'name 0' });
  for (let count = 1; count <= 10; count++) {
    await gateway.operator('PATCH', `/accounts/${id}`, { name: `name ${count}` });
    assert.ok((await namesOf()).includes(`name ${count}`), `change ${count} is missing`);
  }
  await waitUntil(async () => {
    await namesOf();
    return (await series('tollgate_list_statements_total{database="replica"}')) > 0;
  }, 'no list is read from the replica');
  await onReplica('select pg_wal_replay_pause()');
  await gateway.operator('PATCH', `/accounts/${id}`, { name: 'name of the primary' });
  assert.ok((await namesOf()).includes('name of the primary'));
  assert.match((await readiness())['lists'] ?? '', /from the primary/);
  assert.equal((await readiness())['status'], 'ready');
  assert.equal(await series('tollgate_read_replica_away'), 1);
  const lines = gateway.logLines.filter((line) => line.includes('lists are read from the primary'));
  assert.ok(lines.length > 0 && lines.every((line) => !line.includes('postgres://')), lines.join('\n'));
});

test('doctor says whether the replica keeps up (contract-2 11)', async () => {
  const behind = await doctor();
  assert.match(behind.out, /^FAIL {2}replica +it lags behind the primary\n.*DATABASE_READ_URL/m);
  await onReplica('select pg_wal_replay_resume()');
  await waitUntil(async () => (await readiness())['lists'] === undefined, 'the replica is not used again');
  await waitUntil(async () => /^ok {4}replica/m.test((await doctor()).out), 'doctor finds fault with the replica');
});
