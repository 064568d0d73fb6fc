// The rules of money as properties: whatever is asked, in whatever order, and however it is split into batches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { endOperation, holdOperation } from '../../testing/fixtures.ts';
import { decide, type HoldRow, type LedgerWrites, type NewLedgerEntry } from './decide.ts';
import type { HoldEnd, LedgerState } from './ledger-state.ts';
import type { LedgerOperation, LedgerResult, RequestRow } from './operations.ts';

const RUNS = 2_000;

interface TokenPlan {
  account: string;
  quota: bigint | null;
  mode: 'live' | 'test';
}

/** What the operator set up, and what was then asked of the ledger, in order. */
interface Story {
  credits: bigint[];
  tokens: TokenPlan[];
  operations: LedgerOperation[];
}

/** The rows of a database: batches see only what the store would load, and leave only what they say they write. */
class Rows {
  readonly balances: Map<string, bigint>;
  readonly tokens: LedgerState['tokens'];
  readonly holds = new Map<string, HoldRow>();
  readonly entries: NewLedgerEntry[] = [];
  readonly requests = new Map<string, RequestRow>();

  constructor({ credits, tokens }: Story) {
    this.balances = new Map(credits.map((credit, index) => [`acc${index}`, credit]));
    this.tokens = new Map(tokens.map(({ quota }, index) => [`tok${index}`, { quota, used: 0n, held: 0n }]));
  }

  commit(operations: readonly LedgerOperation[]): LedgerResult[] {
    const { writes, results } = decide(this.#load(operations), operations);
    this.#apply(writes);
    return results;
  }

  all(): object {
    const { balances, tokens, holds, entries, requests } = this;
    return { balances, tokens, holds, entries, requests };
  }

  #load(operations: readonly LedgerOperation[]): LedgerState {
    const state: LedgerState = {
      balances: new Map(),
      budgets: new Map(),
      caps: new Map(),
      tokens: new Map(),
      holds: new Map(),
      ended: new Map(),
      tasks: new Map(),
    };
    for (const operation of operations) {
      if (operation.kind === 'log' || operation.kind === 'move') continue;
      const hold = this.holds.get(operation.kind === 'hold' ? operation.hold.id : operation.holdId);
      if (hold !== undefined && statusOf(this, hold.id) === 'open') state.holds.set(hold.id, hold);
      const end = hold === undefined ? 'open' : statusOf(this, hold.id);
      if (hold !== undefined && end !== 'open') state.ended.set(hold.id, end);
      for (const named of [hold, operation.kind === 'hold' ? operation.hold : undefined]) {
        const balance = this.balances.get(named?.account_id ?? '');
        const token = this.tokens.get(named?.token_id ?? '');
        if (named !== undefined && balance !== undefined) state.balances.set(named.account_id, balance);
        if (named !== undefined && token !== undefined) state.tokens.set(named.token_id, token);
      }
    }
    return state;
  }

  #apply(writes: LedgerWrites): void {
    for (const [id, balance] of writes.balances) this.balances.set(id, balance);
    for (const [id, token] of writes.tokens) this.tokens.set(id, token);
    for (const [id, hold] of writes.newHolds) {
      assert.ok(!this.holds.has(id), `hold ${id} is inserted twice`);
      this.holds.set(id, hold);
    }
    for (const id of writes.endedHolds) assert.ok(this.holds.has(id), `hold ${id} is ended before it is there`);
    this.entries.push(...writes.entries);
    // A hold that is made and ended in one batch never reaches its table; its lines tell of it.
    for (const entry of writes.entries) {
      if (entry.kind === 'hold' && !this.holds.has(entry.hold_id ?? ''))
        this.holds.set(entry.hold_id ?? '', holdOf(entry));
    }
    for (const request of writes.requests) if (!this.requests.has(request.id)) this.requests.set(request.id, request);
  }
}

/** How a hold ended, as its lines say. */
function statusOf(rows: Pick<Rows, 'entries'>, holdId: string): HoldEnd | 'open' {
  const kinds = rows.entries.filter((entry) => entry.hold_id === holdId).map((entry) => entry.kind);
  if (kinds.includes('settle')) return 'settled';
  return kinds.includes('release') ? 'released' : 'open';
}

function holdOf(entry: NewLedgerEntry): HoldRow {
  const { account_id, amount, mode } = entry;
  return holdOperation({ id: entry.hold_id ?? '', account_id, token_id: entry.token_id ?? '', amount, mode }).hold;
}

const requestRow = (id: string, charge: bigint): RequestRow => ({
  id,
  account_id: 'acc0',
  token_id: 'tok0',
  group_name: 'default',
  endpoint: '/v1/chat/completions',
  model: 'm',
  channel_id: null,
  status: 200,
  error_code: null,
  attempts: '[]',
  first_byte_ms: null,
  total_ms: 1,
  usage: null,
  usage_source: null,
  charge,
  arithmetic: null,
  mode: 'live',
  created_at: 1,
});

const amount = (max: number): fc.Arbitrary<bigint> => fc.integer({ min: 0, max }).map(BigInt);
const HOLDS = 14;

/** Hold ids come again and again: the same operation after an unknown outcome, and ends that race each other. */
const story: fc.Arbitrary<Story> = fc
  .record({
    credits: fc.array(amount(200), { minLength: 1, maxLength: 3 }),
    tokens: fc.array(
      fc.record({
        account: fc.nat(2),
        quota: fc.option(amount(150)),
        mode: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    holds: fc.array(fc.record({ token: fc.nat(3), amount: amount(60) }), { minLength: HOLDS, maxLength: HOLDS }),
    steps: fc.array(
      fc.record({
        kind: fc.constantFrom('hold' as const, 'hold' as const, 'settle' as const, 'release' as const, 'log' as const),
        hold: fc.nat(HOLDS - 1),
        charge: amount(90),
        withRow: fc.boolean(),
      }),
      { maxLength: 60, size: 'max' },
    ),
  })
  .map(({ credits, tokens, holds, steps }) => {
    const plans = tokens.map((token) => ({ ...token, account: `acc${token.account % credits.length}` }));
    const operations = steps.map((step): LedgerOperation => {
      const id = `hold${step.hold}`;
      if (step.kind === 'log') return { kind: 'log', request: requestRow(`log${step.hold}`, 0n) };
      if (step.kind !== 'hold') {
        const charge = step.kind === 'settle' ? step.charge : null;
        return { ...endOperation(id, charge), request: step.withRow ? requestRow(id, charge ?? 0n) : null };
      }
      const request = holds[step.hold] ?? { token: 0, amount: 0n };
      const index = request.token % plans.length;
      const plan = plans[index];
      return holdOperation({
        id,
        account_id: plan?.account ?? '',
        token_id: `tok${index}`,
        amount: request.amount,
        mode: plan?.mode ?? 'live',
      });
    });
    return { credits, tokens: plans, operations };
  });

const splits = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 });

function batchesOf<T>(operations: readonly T[], sizes: readonly number[]): T[][] {
  const batches: T[][] = [];
  for (let at = 0, round = 0; at < operations.length; round++) {
    const size = sizes[round % sizes.length] ?? 1;
    batches.push(operations.slice(at, at + size));
    at += size;
  }
  return batches;
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, one) => total + one, 0n);

function endsOf(rows: Rows, holdId: string): { hold: bigint[]; settle: bigint[]; release: bigint[] } {
  const amounts = (kind: NewLedgerEntry['kind']): bigint[] =>
    rows.entries.filter((entry) => entry.hold_id === holdId && entry.kind === kind).map((entry) => entry.amount);
  return { hold: amounts('hold'), settle: amounts('settle'), release: amounts('release') };
}

function checkHolds(rows: Rows): void {
  for (const hold of rows.holds.values()) {
    const { hold: held, settle, release } = endsOf(rows, hold.id);
    assert.deepEqual(held, [hold.amount], `${hold.id} has one line of its own`);
    const status = statusOf(rows, hold.id);
    if (status === 'open') assert.deepEqual([settle, release], [[], []], `${hold.id} is open`);
    if (status === 'released') assert.deepEqual([settle, release], [[], [hold.amount]], `${hold.id} was released`);
    if (status !== 'settled') continue;
    assert.equal(settle.length, 1, `${hold.id} is settled once`);
    if (sum(settle) > hold.amount) assert.deepEqual(release, [], `${hold.id} has nothing to give back`);
    else assert.equal(sum(settle) + sum(release), hold.amount, `${hold.id}: hold = settle + release`);
    assert.ok(release.length <= 1, `${hold.id} is released once`);
  }
  for (const entry of rows.entries) {
    assert.ok(rows.holds.has(entry.hold_id ?? ''), 'every line belongs to a hold');
    assert.ok(entry.amount >= 0n, 'no line has a negative amount');
  }
}

function checkTokens(rows: Rows): void {
  for (const [id, token] of rows.tokens) {
    const holds = [...rows.holds.values()].filter((hold) => hold.token_id === id);
    const settled = rows.entries.filter((entry) => entry.token_id === id && entry.kind === 'settle');
    assert.equal(
      token.held,
      sum(holds.filter((hold) => statusOf(rows, hold.id) === 'open').map((hold) => hold.amount)),
    );
    assert.equal(token.used, sum(settled.map((entry) => entry.amount)));
    const excess = settled.map((entry) => entry.amount - (rows.holds.get(entry.hold_id ?? '')?.amount ?? 0n));
    const allowed = (token.quota ?? 0n) + sum(excess.filter((over) => over > 0n));
    if (token.quota !== null) assert.ok(token.used + token.held <= allowed, `${id} was oversold`);
  }
}

/** The lines of each account, read from the first to the last, lead to its balance. */
function checkBalances(rows: Rows, { credits }: Story): void {
  for (const [index, credit] of credits.entries()) {
    let balance = credit;
    for (const entry of rows.entries) {
      if (entry.account_id !== `acc${index}`) continue;
      const held = rows.holds.get(entry.hold_id ?? '')?.amount ?? 0n;
      if (entry.mode === 'live') {
        if (entry.kind === 'hold') balance -= entry.amount;
        if (entry.kind === 'release') balance += entry.amount;
        if (entry.kind === 'settle' && entry.amount > held) balance -= entry.amount - held;
        if (entry.kind === 'hold' && entry.amount > 0n) assert.ok(balance >= 0n, 'admission never goes below zero');
      }
      assert.equal(entry.balance_after, balance, `balance_after of a ${entry.mode} ${entry.kind}`);
    }
    assert.equal(rows.balances.get(`acc${index}`), balance);
    const live = [...rows.holds.values()].filter((hold) => hold.account_id === `acc${index}` && hold.mode === 'live');
    const open = live.filter((hold) => statusOf(rows, hold.id) === 'open').map((hold) => hold.amount);
    assert.equal(balance, credit - sum(open) - sum(live.flatMap((hold) => endsOf(rows, hold.id).settle)));
  }
}

function check(rows: Rows, reported: Story): void {
  checkHolds(rows);
  checkTokens(rows);
  checkBalances(rows, reported);
}

test('results and rows do not depend on how operations are split into batches', () => {
  fc.assert(
    fc.property(story, splits, (reported, sizes) => {
      const whole = new Rows(reported);
      const parts = new Rows(reported);
      const atOnce = whole.commit(reported.operations);
      const inParts = batchesOf(reported.operations, sizes).flatMap((batch) => parts.commit(batch));
      assert.deepEqual(inParts, atOnce);
      assert.deepEqual(parts, whole);
    }),
    { numRuns: RUNS },
  );
});

test('lines, holds, tokens and balances agree after every batch, sent once or several times', () => {
  fc.assert(
    fc.property(story, splits, fc.array(fc.nat(2), { minLength: 1 }), (reported, sizes, repeats) => {
      const rows = new Rows(reported);
      for (const [round, batch] of batchesOf(reported.operations, sizes).entries()) {
        for (let again = repeats[round % repeats.length] ?? 0; again >= 0; again--) rows.commit(batch);
        check(rows, reported);
      }
    }),
    { numRuns: RUNS },
  );
});

test('what was done is not done again when its batch is sent again', () => {
  fc.assert(
    fc.property(story, splits, (reported, sizes) => {
      const rows = new Rows(reported);
      for (const batch of batchesOf(reported.operations, sizes)) {
        const results = rows.commit(batch);
        const done = batch.filter((_, index) => ['held', 'settled', 'released'].includes(results[index] ?? ''));
        const before = structuredClone(rows.all());
        assert.deepEqual(
          rows.commit(done),
          results.filter((result) => ['held', 'settled', 'released'].includes(result)),
        );
        assert.deepEqual(rows.all(), before);
      }
    }),
    { numRuns: RUNS },
  );
});

test('an ended hold tells how it ended and never changes, whatever charge comes later', () => {
  fc.assert(
    fc.property(fc.array(fc.option(amount(90)), { minLength: 1, maxLength: 8 }), splits, (charges, sizes) => {
      const reported: Story = {
        credits: [100n],
        tokens: [{ account: 'acc0', quota: null, mode: 'live' }],
        operations: [],
      };
      const rows = new Rows(reported);
      rows.commit([holdOperation({ id: 'h', account_id: 'acc0', token_id: 'tok0', amount: 50n })]);
      const ends = charges.map((charge) => endOperation('h', charge));
      const results = batchesOf(ends, sizes).flatMap((batch) => rows.commit(batch));
      const first = charges[0] === null ? 'released' : 'settled';
      assert.deepEqual(
        results,
        charges.map(() => first),
      );
      assert.equal(rows.balances.get('acc0'), 100n - (charges[0] ?? 0n));
      check(rows, reported);
    }),
    { numRuns: RUNS },
  );
});

test('holds of test tokens leave every balance alone, also where there is none (contract 5)', () => {
  fc.assert(
    fc.property(story, splits, (reported, sizes) => {
      const operations = reported.operations.map((operation) =>
        operation.kind === 'hold' ? { ...operation, hold: { ...operation.hold, mode: 'test' as const } } : operation,
      );
      const rows = new Rows(reported);
      for (const batch of batchesOf(operations, sizes)) rows.commit(batch);
      assert.deepEqual([...rows.balances.values()], reported.credits);
      checkTokens(rows);
    }),
    { numRuns: RUNS },
  );
});

test('an account or token that is not there holds nothing, and an unknown hold ends as unknown', () => {
  const rows = new Rows({ credits: [10n], tokens: [{ account: 'acc0', quota: null, mode: 'live' }], operations: [] });
  assert.deepEqual(
    rows.commit([
      holdOperation({ id: 'a', account_id: 'nobody', token_id: 'tok0', amount: 1n }),
      holdOperation({ id: 'b', account_id: 'acc0', token_id: 'nothing', amount: 1n }),
      endOperation('a', 1n),
    ]),
    ['balance_too_low', 'quota_too_low', 'unknown'],
  );
  assert.equal(rows.entries.length, 0);
});
