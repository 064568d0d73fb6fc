import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { sql } from 'kysely';
import { makeDatabase } from '../../testing/stores.ts';
import { addAccount, addToken, holdOperation } from '../../testing/fixtures.ts';
import { openPostgresStore } from './open-postgres-store.ts';

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
    await (await openPostgresStore(databaseUrl)).close();
    const store = await openPostgresStore(databaseUrl);
    await store.ping();
    assert.ok(connections() > before);
    await store.close();
    const end = performance.now() + FORGOTTEN_MS;
    while (connections() > before && performance.now() < end) await nextRound();
    assert.equal(connections(), before);
  },
);

/** A way to the database on which what clients say, and that they are gone, may be lost without a word. */
async function muffledProxy(t: TestContext, databaseUrl: string): Promise<{ url: string; muffle(from: number): void }> {
  const target = new URL(databaseUrl);
  const [port, host] = [Number(target.port || 5432), target.hostname];
  const links: { left: number | undefined }[] = [];
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const database = connect(port, host);
    const one = { left: undefined as number | undefined };
    links.push(one);
    sockets.push(client, database);
    client.on('error', () => {}).on('close', () => one.left === undefined && database.destroy());
    database.on('error', () => {}).pipe(client);
    client.on('data', (piece) => {
      if (one.left !== undefined && one.left-- <= 0) return;
      database.write(piece);
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  target.hostname = '127.0.0.1';
  target.port = String((proxy.address() as AddressInfo).port);
  return {
    url: target.href,
    /** So many more pieces come through on the ways that are open; new ones are whole. */
    muffle(pieces) {
      for (const one of links) one.left = pieces;
    },
  };
}

test('a connection that died without a word is given up, and the next statement takes another', { skip }, async (t) => {
  const { url, muffle } = await muffledProxy(t, await makeDatabase(server ?? ''));
  const store = await openPostgresStore(url, { silentMs: 300, idleTransactionMs: 10_000 });
  t.after(() => store.close());
  await store.ping();
  muffle(0);
  await assert.rejects(store.ping(), { code: 'overloaded' });
  await store.ping();
  muffle(0);
  await assert.rejects(
    store.transaction((work) => work.selectFrom('accounts').select('id').execute()),
    { code: 'overloaded' },
  );
  await store.ping();
});

test(
  'a node that vanishes in the middle of a batch keeps its rows from the others only for a while',
  { skip },
  async (t) => {
    const databaseUrl = await makeDatabase(server ?? '');
    const { url, muffle } = await muffledProxy(t, databaseUrl);
    const deadlines = { silentMs: 35_000, idleTransactionMs: 500 };
    const [vanishing, other] = [
      await openPostgresStore(url, deadlines),
      await openPostgresStore(databaseUrl, deadlines),
    ];
    t.after(() => Promise.all([vanishing.close(), other.close()]));
    await addAccount(other, { id: 'acc', balance: 100n });
    for (const id of ['tok', 'new']) await addToken(other, { id, account_id: 'acc' });
    const hold = (id: string, token_id = 'tok') => holdOperation({ id, account_id: 'acc', token_id, amount: 1n });
    assert.equal(await vanishing.commit(hold('first')), 'held');
    muffle(1); // it begins and locks its rows, since it has not seen this token before; nothing of what it writes arrives
    const lost = vanishing.commit(hold('lost', 'new'));
    lost.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(await other.commit(hold('h')), 'held');
  },
);

test('contract-2 11: a command may read the books as long as it takes, a gateway gives up', { skip }, async (t) => {
  const databaseUrl = await makeDatabase(server ?? '');
  const limitOf = async (existing: boolean): Promise<unknown> => {
    const store = await openPostgresStore(databaseUrl, { existing });
    t.after(() => store.close());
    const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(
      store.reads,
    );
    return rows[0]?.limit;
  };
  assert.equal(await limitOf(false), '30s');
  assert.equal(await limitOf(true), '0');
});
