import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { addAccount, addToken, endOperation, holdOperation, requestRow } from '../../testing/fixtures.ts';
import { decodeOperations, encodeOperations } from '../ledger/encode-operations.ts';
import type { LedgerOperation, LedgerResult } from '../ledger/operations.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import type { Store } from '../store.ts';
import { SqliteLedger } from './ledger.ts';
import { SqlitePermits } from './permits.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const PAGE = 4096 + 24; // with the head of its frame
const TOKENS = ['tok-0', 'tok-1', 'tok-2'];

const hold = (id: string, amount = 10n, token = 'tok-0') =>
  holdOperation({ id, account_id: 'acc', token_id: token, amount });
const settle = (id: string, charge: bigint | null = 3n) => ({
  ...endOperation(id, charge),
  request: requestRow({ id, usage: '{"input_tokens":3,"output_tokens":4}', charge: charge ?? 0n }),
});

async function openFolder(context: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store with an account and its tokens, of which one has little to spend. */
async function openWorld(folder: string): Promise<Store> {
  const store = await openSqliteStore(folder);
  await addAccount(store, { id: 'acc', balance: 1_000n });
  for (const id of TOKENS) await addToken(store, { id, account_id: 'acc', quota: id === 'tok-2' ? 60n : null });
  return store;
}

/** What a thread does with its database, without the thread. */
class Connection {
  readonly database: DatabaseSync;
  readonly ledger: SqliteLedger;

  constructor(file: string) {
    this.database = new DatabaseSync(file, { timeout: 1_000 });
    this.database.exec('pragma synchronous = off'); // what a power loss would leave is not asked here
    this.ledger = new SqliteLedger(this.database, new SqlitePermits(this.database));
  }

  commit(operations: LedgerOperation[]): LedgerResult[] {
    return this.ledger.commit(encodeOperations(operations), false);
  }

  /** As the group commit does: a refused batch goes operation by operation. */
  commitAgain(operations: LedgerOperation[]): LedgerResult[] {
    const commit = (batch: LedgerOperation[]) => this.ledger.commit(encodeOperations(batch), true);
    try {
      return commit(operations);
    } catch {
      return operations.flatMap((one) => commit([one]));
    }
  }

  /** Lines of the ledger have numbers that a transaction which was undone may have used up. */
  tables(): Record<string, unknown[]> {
    const all = (sql: string) => {
      const statement = this.database.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all();
    };
    return {
      accounts: all('select * from accounts order by id'),
      tokens: all('select * from tokens order by id'),
      holds: all('select * from holds order by id'),
      ledger: all(
        'select kind, token_id, hold_id, amount, balance_after, note, usage_source, created_at from ledger order by id',
      ),
      requests: all('select * from requests order by id'),
      sums: all('select * from usage_sums order by 1, 2, 3, 4, 5, 6, 7'),
      inbox: all('select * from ledger_inbox'),
      audit: all(`select * from audit where operator = 'tollgate'`),
    };
  }
}

test('what was committed is there for every reader at once: reads, lists, transactions, other processes', async (context) => {
  const folder = await openFolder(context);
  const store = await openWorld(folder);
  context.after(() => store.close());
  const other = await openSqliteStore(folder);
  context.after(() => other.close());
  await store.commit(hold('req_0'));
  const expected: string[] = [];
  for (const [index, read] of [
    (work: typeof store.reads) => work.selectFrom('requests').select('id').execute(),
    (work: typeof store.reads) =>
      work.transaction().execute((all) => all.selectFrom('requests').select('id').execute()),
  ].entries()) {
    for (const [name, reads] of Object.entries({ reads: store.reads, lists: store.lists, other: other.reads })) {
      const id = `req_${index}_${name}`;
      expected.push(id);
      await store.commit(hold(id));
      await store.commit(settle(id));
      assert.deepEqual((await read(reads)).map((row) => row.id).toSorted(), expected.toSorted(), name);
    }
  }
  await store.commit(hold('req_9'));
  await store.commit(settle('req_9'));
  const seen = await store.transaction((work) => work.selectFrom('requests').select('id').execute());
  assert.equal(seen.length, expected.length + 1);
});

test('a call that is alone is committed in a page or a few, not in all that it will change', async (context) => {
  const folder = await openFolder(context);
  await (await openWorld(folder)).close();
  const file = join(folder, 'tollgate.db');
  const alone = new Connection(file);
  alone.commit([hold('req_first')]); // the first looks for what others have left
  const sizes = [statSync(`${file}-wal`).size];
  for (const operation of [hold('req_1'), settle('req_1'), hold('req_2'), settle('req_2')]) {
    alone.commit([operation]);
    sizes.push(statSync(`${file}-wal`).size);
  }
  const pages = sizes.slice(1).map((size, index) => (size - (sizes[index] ?? 0)) / PAGE);
  assert.ok(Math.max(...pages) <= 4 && Math.min(...pages) === 1, `pages of each commit: ${pages.join(', ')}`);
  alone.database.close();
});

test('the tables catch up by themselves, also for programs that open the file beside the gateway', async (context) => {
  const folder = await openFolder(context);
  const store = await openWorld(folder);
  context.after(() => store.close());
  const beside = new DatabaseSync(join(folder, 'tollgate.db'), { readOnly: true });
  context.after(() => beside.close());
  const count = () => beside.prepare('select count(*) as holds from holds').get()?.['holds'];
  await store.commit(hold('req_first'));
  await store.commit(hold('req_1'));
  await waitUntil(() => count() === 2, 'the holds are not in their table');
});

test('the inbox of a process that was killed is flushed by the next one', async (context) => {
  const folder = await openFolder(context);
  await (await openWorld(folder)).close();
  const killed = new Connection(join(folder, 'tollgate.db'));
  killed.commit([hold('req_0')]);
  killed.commit([hold('req_1'), hold('req_2')]);
  killed.commit([settle('req_1')]);
  assert.equal(killed.tables()['inbox']?.length, 2);
  killed.database.close();
  const store = await openSqliteStore(folder);
  context.after(() => store.close());
  const { balance } = await store.reads.selectFrom('accounts').select('balance').executeTakeFirstOrThrow();
  assert.equal(balance, 1_000n - 10n - 3n - 10n);
  assert.deepEqual(await store.reads.selectFrom('requests').select('id').execute(), [{ id: 'req_1' }]);
  assert.equal(await store.commit(settle('req_1')), 'settled');
  assert.equal(await store.commit(settle('req_2')), 'settled');
});

test('what the tables refuse is set aside in the audit log and takes nothing else with it', async (context) => {
  const folder = await openFolder(context);
  await (await openWorld(folder)).close();
  const one = new Connection(join(folder, 'tollgate.db'));
  one.commit([hold('req_0')]);
  one.commit([hold('req_1')]);
  const broken = { kind: 'log' as const, request: requestRow({ id: 'req_broken', usage: 'not json' }) };
  one.commit([broken, hold('req_2')]);
  one.commit([settle('req_1')]);
  one.database.exec(`insert into ledger_inbox (operations) values ('[[7]]'), ('what?')`);
  one.ledger.catchUp();
  const { holds, requests, inbox, audit } = one.tables();
  assert.deepEqual(
    [holds, requests].map((rows) => rows?.map((row) => (row as { id: string }).id)),
    [['req_0', 'req_2'], ['req_1']],
  );
  assert.deepEqual(inbox, []);
  assert.deepEqual(
    audit?.map((row) => {
      const { action, resource_id, detail } = row as Record<string, string>;
      return [action, resource_id, JSON.parse(String(detail)).reason];
    }),
    [
      ['ledger.refuse', 'req_broken', 'malformed JSON'],
      ['ledger.refuse', '', 'not written by this version'],
      ['ledger.refuse', '', 'not written by this version'],
    ],
  );
  assert.deepEqual(one.commit([settle('req_2'), hold('req_3')]), ['settled', 'held']);
  one.database.close();
});

type Step =
  | { kind: 'batch'; process: number; operations: LedgerOperation[] }
  | { kind: 'change'; process: number; amount: number; isUndone: boolean }
  | { kind: 'catch-up'; process: number }
  | { kind: 'crash'; process: number };

const id = fc.nat({ max: 11 }).map((number) => `req_${number}`);
const amount = fc.nat({ max: 60 }).map(BigInt);
const operation: fc.Arbitrary<LedgerOperation> = fc.oneof(
  { arbitrary: fc.tuple(id, amount, fc.constantFrom(...TOKENS)).map((values) => hold(...values)), weight: 4 },
  { arbitrary: fc.tuple(id, fc.option(amount)).map((values) => settle(...values)), weight: 4 },
  fc.tuple(id, fc.string()).map(([holdId, checkpoint]) => ({ kind: 'checkpoint' as const, holdId, checkpoint })),
  id.map((name) => ({ kind: 'log' as const, request: requestRow({ id: `${name}_refused`, status: 400 }) })),
);
const process = fc.nat({ max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      process,
      operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
    }),
    weight: 8,
  },
  fc.record({
    kind: fc.constant('change' as const),
    process,
    amount: fc.nat({ max: 500 }),
    isUndone: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('catch-up' as const), process }),
  fc.record({ kind: fc.constant('crash' as const), process }),
);

test('results and tables are those of a ledger that flushes each batch at once, whatever crashes or comes between (M-02, M-03, M-11)', async (context) => {
  const folder = await openFolder(context);
  const RUNS = 150;
  const files: string[] = [];
  for (const name of ['delayed', 'direct']) {
    await (await openWorld(join(folder, name))).close();
    files.push(join(folder, name, 'tollgate.db'));
  }
  const [delayed = '', direct = ''] = files;
  let run = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 3, maxLength: 25, size: 'max' }), (steps) => {
      // Names are new in each run, money goes on: one pair of files serves all of them.
      const named = (text: string) => text.replaceAll('req_', `req_${run}_`);
      run++;
      const processes = [new Connection(delayed), new Connection(delayed)];
      const reference = new Connection(direct);
      for (const one of steps) {
        const at = one.process;
        const connection = processes[at] as Connection;
        if (one.kind === 'crash') {
          connection.database.close();
          processes[at] = new Connection(delayed);
        } else if (one.kind === 'catch-up') {
          connection.ledger.catchUp();
        } else if (one.kind === 'change') {
          for (const { database, ledger } of [connection, reference]) {
            ledger.begin();
            database.prepare('update accounts set balance = balance + ?').run(one.amount);
            database.exec(one.isUndone ? 'rollback' : 'commit');
          }
        } else {
          const operations = decodeOperations(named(encodeOperations(one.operations)));
          const expected = reference.commitAgain(operations);
          reference.ledger.catchUp();
          assert.deepEqual(connection.commitAgain(operations), expected);
        }
      }
      const [first, second] = processes as [Connection, Connection];
      second.ledger.catchUp();
      assert.deepEqual(first.tables(), reference.tables());
      for (const { database } of [first, second, reference]) database.close();
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
