import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { endOperation, holdOperation } from '../../testing/fixtures.ts';
import type { Allowance } from './allowance.ts';
import { decide } from './decide.ts';
import { emptyState, type LedgerState } from './ledger-state.ts';
import { marginsOf } from './margins.ts';
import type { LedgerOperation } from './operations.ts';

const AT = 1_760_000_000;

const hold = (id: string, amount: bigint, most?: bigint): LedgerOperation => ({
  ...holdOperation({ id, account_id: 'acc', token_id: 'tok', amount, created_at: AT }),
  ...(most !== undefined && { most }),
});

interface Rows {
  balance: bigint;
  budget?: Allowance;
  cap?: Allowance;
  quota?: bigint | null;
  allowance?: Allowance;
  used?: bigint;
  held?: bigint;
  open?: readonly [id: string, amount: bigint][];
}

function stateOf({
  balance,
  budget,
  cap,
  quota = null,
  allowance,
  used = 0n,
  held = 0n,
  open = [],
}: Rows): LedgerState {
  const state = emptyState();
  state.balances.set('acc', balance);
  if (budget !== undefined) state.budgets.set('acc', budget);
  if (cap !== undefined) state.caps.set('mem', cap);
  const memberId = cap === undefined ? undefined : 'mem';
  state.tokens.set('tok', { quota, allowance, memberId, used, held });
  for (const [id, amount] of open)
    state.holds.set(id, holdOperation({ id, account_id: 'acc', token_id: 'tok', amount, created_at: AT }).hold);
  return state;
}

test('a batch needs the sum of all that it can take, and nothing for what it gives back', () => {
  const state = stateOf({ balance: 100n, open: [['old', 20n]], held: 20n });
  const batch = [hold('a', 30n), hold('b', 30n), endOperation('old', 25n), endOperation('a', 3n)];
  const margins = marginsOf(state, batch);
  assert.deepEqual(margins?.accounts.get('acc'), { need: 65n, ended: 50n });
  assert.deepEqual(margins.tokens.get('tok'), { need: 65n, ended: 50n, heldMost: undefined, charged: 28n });
  assert.deepEqual(marginsOf(state, [endOperation('old', 5n)])?.accounts.get('acc'), { need: undefined, ended: 20n });
});

test('somebody has to look at the rows where the balance, a quota, a budget or a cap is near its end (promise M-02)', () => {
  const near: Allowance = { limit: 50n, period: null, start: 0, used: 0n };
  const batch = [hold('a', 30n), hold('b', 30n)];
  assert.ok(marginsOf(stateOf({ balance: 60n }), batch));
  assert.equal(marginsOf(stateOf({ balance: 59n }), batch), undefined);
  assert.equal(marginsOf(stateOf({ balance: 100n, quota: 59n }), batch), undefined);
  assert.equal(marginsOf(stateOf({ balance: 100n, budget: near }), batch), undefined);
  assert.equal(marginsOf(stateOf({ balance: 100n, cap: near }), batch), undefined);
  assert.equal(marginsOf(stateOf({ balance: 100n, allowance: near }), batch), undefined);
});

test('what is not known, not plain or begins a new period is for those who see the rows', () => {
  const past: Allowance = { limit: 5_000n, period: 'day', start: AT - 3 * 86_400, used: 0n };
  assert.equal(marginsOf(emptyState(), [hold('a', 1n)]), undefined);
  assert.equal(marginsOf(stateOf({ balance: 100n }), [endOperation('not known', 1n)]), undefined);
  assert.equal(marginsOf(stateOf({ balance: 100n }), [hold('a', -1n)]), undefined);
  assert.equal(marginsOf(stateOf({ balance: 2n ** 61n }), [hold('a', 2n ** 60n)]), undefined);
  assert.equal(marginsOf(stateOf({ balance: 100n, open: [['a', 5n]] }), [hold('a', 5n)]), undefined);
  assert.equal(marginsOf(stateOf({ balance: 100n, budget: past }), [hold('a', 1n)]), undefined);
});

/** The rows as others may have left them, within the margins. */
function moved(state: LedgerState, operations: readonly LedgerOperation[], by: (most: bigint) => bigint): LedgerState {
  const margins = marginsOf(state, operations);
  const [account, token] = [margins?.accounts.get('acc'), margins?.tokens.get('tok')];
  assert.ok(account && token);
  const [balance = 0n, known] = [state.balances.get('acc'), state.tokens.get('tok')];
  assert.ok(known);
  const other = stateOf({ balance: balance - by(balance - (account.need ?? 0n)), quota: known.quota });
  for (const [id, open] of state.holds) other.holds.set(id, open);
  const heldRoom = (token.heldMost ?? known.held * 3n) - known.held;
  const quotaRoom = known.quota === null ? heldRoom : known.quota - known.used - known.held - (token.need ?? 0n);
  const held = known.held + by(heldRoom < quotaRoom ? heldRoom : quotaRoom);
  other.tokens.set('tok', { ...known, held });
  return other;
}

test('within its margins a batch is decided in the same way, whatever others did to the rows (promises M-02, M-11)', () => {
  const amounts = fc.bigInt({ min: 0n, max: 50n });
  const calls = fc.array(fc.record({ amount: amounts, more: amounts, charge: amounts }), {
    minLength: 1,
    maxLength: 6,
  });
  const rows = fc.record({ spare: fc.bigInt({ min: 0n, max: 9_000n }), held: amounts, quota: fc.boolean() });
  let decided = 0;
  fc.assert(
    fc.property(calls, rows, fc.integer({ min: 0, max: 100 }), (list, { spare, held, quota }, part) => {
      const operations = list.flatMap(({ amount, more, charge }, index): LedgerOperation[] => [
        hold(`h${index}`, amount, more === 0n ? undefined : amount + more),
        ...(index % 2 === 0 ? [endOperation(`h${index}`, charge)] : []),
      ]);
      const make = () => stateOf({ balance: spare, held, quota: quota ? spare + held : null });
      if (marginsOf(make(), operations) === undefined) return;
      decided++;
      const there = moved(make(), operations, (most) => (most * BigInt(part)) / 100n);
      const [a, b] = [decide(make(), operations), decide(there, operations)];
      assert.deepEqual(b.results, a.results);
      const amountsOf = ({ writes }: typeof a) => writes.entries.map(({ kind, amount }) => [kind, amount]);
      assert.deepEqual(amountsOf(b), amountsOf(a));
    }),
    { numRuns: 2_000 },
  );
  assert.ok(decided > 200, `${decided} batches had a margin`);
});
