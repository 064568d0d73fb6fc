import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { GatewayError } from '../errors/gateway-error.ts';
import { systemClock } from '../shared/clock.ts';
import { wait } from '../shared/wait.ts';
import { changesAfter, recordChange } from '../store/queries/changes.ts';
import { insertTokenKey } from '../store/queries/tokens.ts';
import type { Reads, Store } from '../store/store.ts';
import type { ChangesTable } from '../store/tables.ts';
import { addAccount, addToken } from '../testing/fixtures.ts';
import { onEveryStore } from '../testing/stores.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { makeAccessToken } from './access-token.ts';
import { Authenticator } from './authenticate.ts';
import { ChangeWatch } from './change-watch.ts';

const AT = 1_770_000_000;

async function change(store: Store, kind: ChangesTable['kind'], subject = 'x'): Promise<void> {
  await store.transaction((transaction) => recordChange(transaction, kind, subject, AT));
}

/** Notes what is reported; asks only when polled. */
function makeWatch(
  reads: Reads,
  { failCatalogue = (): boolean => false } = {},
): { watch: ChangeWatch; reported: string[] } {
  const reported: string[] = [];
  const watch = new ChangeWatch({
    reads,
    intervalMs: 3_600_000,
    onToken: (id) => reported.push(`token ${id}`),
    onAccount: (id) => reported.push(`account ${id}`),
    async onCatalogue() {
      if (failCatalogue()) throw new Error('cannot load');
      reported.push('catalogue');
    },
    async onGap() {
      reported.push('gap');
    },
    onError: () => reported.push('error'),
  });
  return { watch, reported };
}

/** Starts the watch, and stops it when the test ends. */
async function started(context: TestContext, watch: ChangeWatch): Promise<void> {
  await watch.start();
  context.after(() => watch.stop());
}

onEveryStore((open) => {
  test('a change is reported once, and the catalogue once for many changes of it', async (context) => {
    const store = await open();
    await change(store, 'token', 'before the start');
    const { watch, reported } = makeWatch(store.reads);
    await started(context, watch);
    await change(store, 'catalogue');
    await change(store, 'token', 't1');
    await change(store, 'account', 'a1');
    await change(store, 'catalogue');
    await watch.poll();
    assert.deepEqual(reported, ['token t1', 'account a1', 'catalogue']);
    await watch.poll();
    assert.equal(reported.length, 3);
  });

  test('polls that overlap are serialised, and each sees what was committed before it', async (context) => {
    const store = await open();
    const { watch, reported } = makeWatch(store.reads);
    await started(context, watch);
    const polls = [];
    for (let i = 0; i < 20; i++) {
      await change(store, 'token', `t${i}`);
      polls.push(watch.poll().then(() => assert.ok(reported.includes(`token t${i}`))));
    }
    await Promise.all(polls);
    assert.deepEqual(
      reported,
      Array.from({ length: 20 }, (_, i) => `token t${i}`),
    );
  });

  test('notices that are missing, or too many, mean that everything may have changed', async (context) => {
    const store = await open();
    const { watch, reported } = makeWatch(store.reads);
    await started(context, watch);
    await change(store, 'token', 't1');
    await change(store, 'token', 't2');
    await store.transaction((transaction) => transaction.deleteFrom('changes').where('sequence', '=', 1).execute());
    await watch.poll();
    assert.deepEqual(reported, ['gap']);
    await change(store, 'token', 't3');
    await watch.poll();
    assert.deepEqual(reported, ['gap', 'token t3']);
    await store.transaction(async (transaction) => {
      for (let i = 0; i < 201; i++) await recordChange(transaction, 'token', `t${i}`, AT);
    });
    await watch.poll();
    assert.deepEqual(reported.slice(2), ['gap']);
  });

  test('an outage is reported once per outage, and what happened meanwhile is reported after it', async (context) => {
    const store = await open();
    let down = false;
    const reads = store.reads.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (down) throw new Error('no connection');
        return result;
      },
    });
    const { watch, reported } = makeWatch(reads);
    await started(context, watch);
    for (const outage of ['t1', 't2']) {
      down = true;
      await change(store, 'token', outage);
      await watch.poll();
      await watch.poll();
      down = false;
      await watch.poll();
    }
    assert.deepEqual(reported, ['error', 'token t1', 'error', 'token t2']);
  });

  test('a catalogue that could not be loaded is loaded by the next poll', async (context) => {
    const store = await open();
    let failing = true;
    const { watch, reported } = makeWatch(store.reads, { failCatalogue: () => failing });
    await started(context, watch);
    await change(store, 'catalogue');
    await watch.poll();
    failing = false;
    await watch.poll();
    assert.deepEqual(reported, ['error', 'catalogue']);
  });

  test('after stop nothing is asked any more', async () => {
    const store = await open();
    const reported: string[] = [];
    const silent = async () => {};
    const watch = new ChangeWatch({
      reads: store.reads,
      intervalMs: 5,
      onToken: (id) => reported.push(id),
      onAccount: () => {},
      onCatalogue: silent,
      onGap: silent,
    });
    await watch.start();
    await watch.stop();
    await change(store, 'token', 't1');
    await wait(50);
    assert.deepEqual(reported, []);
    assert.equal((await changesAfter(store.reads, 0)).length, 1);
  });

  test('a change comes into force on every process by itself, for known tokens too (promise A-04)', async (context) => {
    const store = await open();
    await addAccount(store, { id: 'acc' });
    await addToken(store, { id: 'tok', account_id: 'acc' });
    const { key, keyHash } = makeAccessToken();
    await store.transaction((transaction) =>
      insertTokenKey(transaction, { key_hash: keyHash, token_id: 'tok', ends_at: null, created_at: AT }),
    );
    const processes = [await startProcess(store, context), await startProcess(store, context)];
    for (const authenticator of processes) await authenticator.authenticate(key);

    await store.transaction(async (transaction) => {
      await transaction.updateTable('tokens').set({ status: 'disabled' }).where('id', '=', 'tok').execute();
      await recordChange(transaction, 'token', 'tok', AT);
    });
    for (const authenticator of processes) await untilRefused(authenticator, key, 'token_disabled');

    await store.transaction(async (transaction) => {
      await transaction.updateTable('tokens').set({ status: 'enabled' }).where('id', '=', 'tok').execute();
      await transaction.updateTable('accounts').set({ status: 'disabled' }).where('id', '=', 'acc').execute();
      await recordChange(transaction, 'account', 'acc', AT);
    });
    for (const authenticator of processes) await untilRefused(authenticator, key, 'account_disabled');
  });
});

async function untilRefused(authenticator: Authenticator, key: string, code: string): Promise<void> {
  const isRefused = async (): Promise<boolean> => {
    try {
      await authenticator.authenticate(key);
      return false;
    } catch (error) {
      return error instanceof GatewayError && error.code === code;
    }
  };
  await waitUntil(isRefused, `it does not become ${code}`);
}

async function startProcess(store: Store, context: TestContext): Promise<Authenticator> {
  const authenticator = new Authenticator({ reads: store.reads, clock: systemClock });
  await started(
    context,
    new ChangeWatch({
      reads: store.reads,
      onToken: (id) => authenticator.forgetToken(id),
      onAccount: (id) => authenticator.forgetAccount(id),
      onCatalogue: async () => {},
      onGap: async () => authenticator.forgetAll(),
    }),
  );
  return authenticator;
}
