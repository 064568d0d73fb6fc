import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { holdOperation } from '../../testing/fixtures.ts';
import { amountToHold } from './amount-to-hold.ts';
import { decide } from './decide.ts';
import type { LedgerState } from './ledger-state.ts';
import type { HoldOperation } from './operations.ts';

const USUAL = 4n;
const MOST = 32n;
const operation = holdOperation({ id: 'h', account_id: 'acc', token_id: 'tok', amount: USUAL });
const open: HoldOperation = { ...operation, most: MOST };

function held(balance: bigint, inFlight = 0n, quota: bigint | null = null, one = open): bigint {
  return amountToHold({ budgets: new Map(), caps: new Map() }, one, {
    balance,
    token: { quota, used: 0n, held: inFlight },
  });
}

test('an answer without a limit is held for as usual while all it can come to is there (promise M-02)', () => {
  assert.equal(held(MOST), USUAL);
  assert.equal(held(MOST - 1n), MOST);
  assert.equal(held(1_000n, 0n, MOST), USUAL);
  assert.equal(held(1_000n, 0n, MOST - 1n), MOST, 'a quota is money too');
});

test('what the token has under way counts with all that it can come to', () => {
  assert.equal(held(3n * MOST, 2n * USUAL), USUAL);
  assert.equal(held(3n * MOST - 1n, 2n * USUAL), MOST);
});

test('a call with a limit is held for by that limit', () => {
  assert.equal(held(1n, 0n, null, operation), USUAL);
});

test('however many calls of a token begin, they can come to twice the balance at the most', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2_000n }), fc.integer({ min: 1, max: 80 }), (balance, calls) => {
      const state: LedgerState = {
        balances: new Map([['acc', balance]]),
        budgets: new Map(),
        caps: new Map(),
        tokens: new Map([['tok', { quota: null, used: 0n, held: 0n }]]),
        holds: new Map(),
        ended: new Map(),
        tasks: new Map(),
      };
      const asked = Array.from({ length: calls }, (_, index): HoldOperation => {
        const one = holdOperation({ id: `h${index}`, account_id: 'acc', token_id: 'tok', amount: USUAL });
        return { ...one, most: MOST };
      });
      const { results } = decide(state, asked);
      const begun = results.filter((result) => result === 'held').length;
      assert.ok(BigInt(begun) * MOST <= 2n * balance, `${begun} begun with ${balance}`);
    }),
  );
});
