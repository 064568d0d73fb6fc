import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { systemClock } from '../shared/clock.ts';
import { readCursor } from '../store/queries/exports.ts';
import type { Store } from '../store/store.ts';
import { addAccount, addToken, endOperation, holdOperation, requestRow } from '../testing/fixtures.ts';
import { onEveryStore } from '../testing/stores.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { readLags } from './lag.ts';
import { SinkExport, type SinkExportSettings } from './sink-export.ts';
import { MemorySink } from './testing/memory-sink.ts';

let owners = 0;

function startExport(t: TestContext, store: Store, sink: MemorySink, more: Partial<SinkExportSettings> = {}) {
  const errors: string[] = [];
  const settings = { store, sink, clock: systemClock, owner: `process ${++owners}`, roundMs: 20, ...more };
  const worker = new SinkExport({ ...settings, onError: (error) => errors.push((error as Error).message) });
  worker.start();
  t.after(() => worker.stop());
  return { worker, errors };
}

async function spend(store: Store, from: number, to: number): Promise<void> {
  const ids = Array.from({ length: to - from }, (_, index) => `req_${from + index}`);
  await Promise.all(
    ids.map(async (id) => {
      await store.commit(holdOperation({ id, account_id: 'acc', token_id: 'tok', amount: 10n }));
      await store.commit({ ...endOperation(id, 7n), request: requestRow({ id, charge: 7n }) });
    }),
  );
}

async function makeWorld(store: Store): Promise<void> {
  await addAccount(store, { id: 'acc', balance: 1_000_000n });
  await addToken(store, { id: 'tok', account_id: 'acc' });
}

const ledgerIds = async (store: Store) =>
  (await store.reads.selectFrom('ledger').select('id').orderBy('id').execute()).map(({ id }) => String(id));

onEveryStore((open) => {
  test('rows are exported from the first one on, each once, as operators see them (contract-2 12)', async (t) => {
    const store = await open();
    await makeWorld(store);
    await spend(store, 0, 30);
    const sink = new MemorySink();
    startExport(t, store, sink, { batchRows: 7 });
    await spend(store, 30, 40);
    const wanted = await ledgerIds(store);
    await waitUntil(() => sink.rows('ledger').size === wanted.length, 'entries are missing');
    await waitUntil(() => sink.rows('requests').size === 40, 'requests are missing');
    const written = sink.batches.filter(({ name }) => name === 'ledger').flatMap(({ lines }) => lines);
    assert.deepEqual(
      written.map(({ record }) => record.id),
      wanted,
    );
    assert.ok(sink.batches.every(({ lines }) => lines.length <= 7));
    assert.ok(written.every(({ record }) => 'amount' in record && /^-?\d+(\.\d+)?$/.test(record.amount)));
    const requests = sink.batches.filter(({ name }) => name === 'requests').flatMap(({ lines }) => lines);
    assert.equal(requests.length, 40);
    await waitUntil(
      async () =>
        (await readLags(store, ['memory'])).every(({ lag_rows, lag_seconds }) => lag_rows + lag_seconds === 0),
      'the lag does not end',
    );
  });

  test('a line that changes is exported again, with a higher version (contract-2 12)', async (t) => {
    const store = await open();
    const sink = new MemorySink();
    startExport(t, store, sink);
    await store.commit({ kind: 'log', request: requestRow({ id: 'req_a' }) });
    await waitUntil(() => sink.rows('requests').has('req_a'), 'the line is missing');
    const first = sink.rows('requests').get('req_a')?.version ?? 0n;
    await store.transaction((transaction) =>
      transaction.updateTable('requests').set({ charge: 1_500_000_000n }).where('id', '=', 'req_a').execute(),
    );
    await waitUntil(() => (sink.rows('requests').get('req_a')?.version ?? 0n) > first, 'the change is missing');
    const { record } = sink.rows('requests').get('req_a') ?? {};
    assert.equal(record !== undefined && 'charge' in record && record.charge, '1.5');
  });

  test('lines of before they were numbered come first, by their ids (contract-2 12)', async (t) => {
    const store = await open();
    const ids = ['req_c', 'req_a', 'req_b', 'req_d', 'req_e'];
    for (const id of ids) await store.commit({ kind: 'log', request: requestRow({ id }) });
    await store.transaction((transaction) =>
      transaction.updateTable('requests').set({ change: 0n }).where('id', '<', 'req_d').execute(),
    );
    const sink = new MemorySink();
    startExport(t, store, sink, { batchRows: 2 });
    await waitUntil(() => sink.rows('requests').size === 5, 'lines are missing');
    assert.deepEqual([...sink.rows('requests').keys()], ['req_a', 'req_b', 'req_c', 'req_d', 'req_e']);
  });

  test('a sink that is away only delays, and operators read why (contract-2 12)', async (t) => {
    const store = await open();
    await makeWorld(store);
    const sink = new MemorySink('away');
    let isAway = true;
    sink.before = () => {
      if (isAway) throw new Error('clickhouse://user:hunter22@host answers nothing');
    };
    const { errors } = startExport(t, store, sink);
    await spend(store, 0, 5);
    await waitUntil(() => errors.length > 2, 'it is not tried again');
    const [state] = await readLags(store, ['away']);
    assert.ok(state !== undefined && state.lag_rows > 5);
    assert.match(state.last_error ?? '', /answers nothing/);
    assert.doesNotMatch(state.last_error ?? '', /hunter22/);
    isAway = false;
    await waitUntil(
      async () => (await readLags(store, ['away']))[0]?.last_error === null,
      'the error stays when all is well',
    );
    assert.deepEqual([...sink.rows('ledger').keys()], await ledgerIds(store));
  });

  test('a process that dies between the sink and the cursor: the same range is written again, marked (contract-2 12)', async (t) => {
    const store = await open();
    await makeWorld(store);
    await spend(store, 0, 5);
    const sink = new MemorySink();
    const ranges = new Map<string, bigint>();
    sink.after = ({ name, from, to, isRepeated }) => {
      const key = `${name} ${from.number} ${from.id}`;
      if (isRepeated) assert.equal(to.number, ranges.get(key), 'the range is the one that was planned');
      else {
        ranges.set(key, to.number);
        throw new Error('killed');
      }
    };
    startExport(t, store, sink, { batchRows: 4 });
    await waitUntil(() => sink.batches.some(({ isRepeated }) => isRepeated), 'nothing is written again');
    await spend(store, 5, 10);
    await waitUntil(async () => sink.rows('ledger').size === (await ledgerIds(store)).length, 'entries are missing');
    await waitUntil(() => sink.rows('requests').size === 10, 'requests are missing');
  });

  test('of two processes one exports; when it stops, the other goes on where it was (contract-2 12)', async (t) => {
    const store = await open();
    await makeWorld(store);
    const sink = new MemorySink();
    const { worker } = startExport(t, store, sink);
    await spend(store, 0, 5);
    await waitUntil(() => sink.rows('requests').size === 5, 'requests are missing');
    const other = new MemorySink();
    startExport(t, store, other);
    await spend(store, 5, 10);
    await waitUntil(() => sink.rows('requests').size === 10, 'requests are missing');
    assert.equal(other.batches.length, 0);
    await worker.stop();
    await spend(store, 10, 15);
    await waitUntil(() => other.rows('requests').size === 5, 'nobody took over');
    const entries = [...sink.rows('ledger').keys(), ...other.rows('ledger').keys()];
    assert.deepEqual(entries, await ledgerIds(store));
  });

  test('who comes late changes nothing: a cursor that another process moved stays (promise V-03 for exports)', async (t) => {
    const store = await open();
    await makeWorld(store);
    const sink = new MemorySink();
    let stale: Promise<void> | undefined;
    sink.before = async ({ name }) => {
      if (name !== 'ledger' || stale !== undefined) return;
      stale = store.transaction(async (transaction) => {
        await transaction
          .updateTable('exports')
          .set({ reached: 1_000n, planned: null })
          .where('name', '=', 'ledger')
          .execute();
      });
      await stale;
    };
    startExport(t, store, sink);
    await waitUntil(() => sink.batches.length > 0, 'nothing is exported');
    await store.commit({ kind: 'log', request: requestRow({ id: 'req_later' }) });
    await waitUntil(() => sink.rows('requests').has('req_later'), 'the export does not go on');
    const { reached } = await readCursor(store.reads, 'memory', 'ledger');
    assert.equal(reached.number, 1_000n);
  });
});
