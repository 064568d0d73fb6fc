// Changes are heard at once on PostgreSQL, also after the listening connection was cut; what is lost meanwhile is read.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { ChangeWatch } from '../../access/change-watch.ts';
import { onEveryStoreSettings } from '../../testing/stores.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { recordChange } from '../queries/changes.ts';
import { openStore, type StoreSettings } from '../open-store.ts';
import type { Store } from '../store.ts';

/** What is heard although no poll comes was announced. */
const NO_POLL_MS = 3_600_000;

/** Every process that listens loses its connection. */
async function cutListeners({ databaseUrl }: StoreSettings): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
  );
  await client.end();
  return rowCount ?? 0;
}

onEveryStoreSettings((makeSettings, dialect, atEnd) => {
  if (dialect === 'sqlite') {
    test('the embedded database announces nothing: its changes are polled for', async () => {
      const store = await openStore(await makeSettings());
      atEnd(() => store.close());
      assert.equal(
        store.listen(() => {}),
        undefined,
      );
    });
    return;
  }

  async function prepare(t: TestContext, intervalMs: number) {
    const settings = await makeSettings();
    const [here, there] = [await openStore(settings), await openStore(settings)];
    const reported: string[] = [];
    let notices: ReturnType<Store['listen']>;
    const watch = new ChangeWatch({
      reads: here.reads,
      intervalMs,
      listen: (onNotice) => (notices = here.listen(onNotice)),
      onToken: (id) => reported.push(id),
      onAccount: () => {},
      onCatalogue: async () => {},
      onGap: async () => void reported.push('gap'),
    });
    await watch.start();
    t.after(async () => {
      await watch.stop();
      await Promise.all([here.close(), there.close()]);
    });
    const isListening = (): boolean => notices?.isListening === true;
    await waitUntil(isListening, 'nobody listens');
    const change = (id: string): Promise<void> =>
      there.transaction((transaction) => recordChange(transaction, 'token', id, 1));
    return { settings, reported, change, isListening };
  }

  test('a change through another process is reported at once, without a poll (promise A-04)', async (t) => {
    const { reported, change } = await prepare(t, NO_POLL_MS);
    for (const id of ['t1', 't2', 't3']) {
      await change(id);
      await waitUntil(() => reported.includes(id), 'the change is not reported');
    }
    assert.deepEqual(reported, ['t1', 't2', 't3']);
  });

  test('a listener that was cut comes back by itself and tells what it missed', async (t) => {
    const { settings, reported, change, isListening } = await prepare(t, NO_POLL_MS);
    assert.equal(await cutListeners(settings), 1);
    await waitUntil(() => !isListening(), 'the cut was not noticed');
    await change('missed');
    await waitUntil(() => reported.includes('missed'), 'what was missed is not reported');
    assert.ok(isListening());
    await change('later');
    await waitUntil(() => reported.includes('later'), 'what came later is not reported');
    assert.deepEqual(reported, ['missed', 'later']);
  });

  test('polls go on where announcements are swallowed', async (t) => {
    const { settings, reported, isListening } = await prepare(t, 500);
    const client = new pg.Client({ connectionString: settings.databaseUrl });
    await client.connect();
    t.after(() => client.end());
    await client.query('alter table changes disable trigger user');
    await client.query(`insert into changes (sequence, kind, subject, created_at) values (1, 'token', 'silent', 1)`);
    assert.ok(isListening());
    await waitUntil(() => reported.includes('silent'), 'nobody polls');
  });
});
