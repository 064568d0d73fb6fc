import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertMoneyAddsUp } from './money.ts';

type Line = [kind: 'credit' | 'hold' | 'settle' | 'release', amount: string, balanceAfter: string, requestId?: string];

const CREDIT: Line = ['credit', '10', '10'];
const NOTHING: Line = ['credit', '0', '10'];
const HOLD: Line = ['hold', '3', '7', 'req_1'];
const RELEASE: Line = ['release', '3', '10', 'req_1'];

/** A gateway with one account, of whose ledger one more line is seen with every question. */
function gatewayOf(lines: Line[], balance: string): never {
  let asked = 0;
  const owner = { task_id: null, account_id: 'acc_1', token_id: 'tok_1', mode: 'live' };
  const ledger = (): unknown[] =>
    lines.slice(0, asked).map(([kind, amount, balance_after, request_id = null]) => ({
      kind,
      amount,
      balance_after,
      request_id,
      ...owner,
    }));
  const answers: Record<string, () => unknown> = {
    '/ledger': () => ({ data: ledger().reverse(), next_cursor: null }),
    '/tokens': () => ({
      data: [{ id: 'tok_1', name: 'token', used: '0', held: isOpen() ? '3' : '0' }],
      next_cursor: null,
    }),
    '/accounts/acc_1': () => ({ id: 'acc_1', name: 'account', balance: isOpen() ? '7' : balance }),
  };
  const isOpen = (): boolean => asked > lines.indexOf(HOLD) && asked <= lines.indexOf(RELEASE);
  const operator = async (_method: string, path: string): Promise<unknown> => {
    asked++;
    return answers[path.split('?', 1)[0] ?? '']?.();
  };
  return { operator } as never;
}

describe('whether money adds up', () => {
  test('is judged when a request that comes late has ended, too', async () => {
    for (let later = 0; later < 6; later++) {
      const lines = [CREDIT, ...Array.from({ length: later }, () => NOTHING), HOLD, RELEASE];
      await assertMoneyAddsUp(gatewayOf(lines, '10'), 'acc_1');
    }
  });

  test('is denied where a balance is not that of the ledger', async () => {
    const wrong = gatewayOf([CREDIT, HOLD, RELEASE], '9.999999999');
    await assert.rejects(assertMoneyAddsUp(wrong, 'acc_1'), /is not the sum of its ledger/);
  });

  test('is denied where a hold has no end though nothing is held', async () => {
    const wrong = gatewayOf([CREDIT, ['hold', '3', '7', 'req_2']], '7');
    await assert.rejects(assertMoneyAddsUp(wrong, 'acc_1'), /the hold of req_2 stays open/);
  });
});
