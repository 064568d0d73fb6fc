// Contract-2 7: early refusals are in the request log, sampled under attack.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../access/principal.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import { type EarlyRefusal, EarlyRefusals } from './early-refusals.ts';

const principal = { tokenId: 'tok', accountId: 'acc', group: 'g', mode: 'test' } as unknown as Principal;

function setUp(): { refusals: EarlyRefusals; lines: RequestRow[]; pass(ms: number): void } {
  const lines: RequestRow[] = [];
  let time = 0;
  const ledger = {
    log: (row: RequestRow): Promise<unknown> => {
      lines.push(row);
      return Promise.reject(new Error('the store is away'));
    },
  };
  const refusals = new EarlyRefusals({ ledger, clock: { now: () => 7_000 }, now: () => time });
  return { refusals, lines, pass: (ms) => void (time += ms) };
}

const refusal = (given: Partial<EarlyRefusal> = {}): EarlyRefusal => ({
  requestId: 'req',
  path: '/v1/x',
  startedAt: 0,
  principal: undefined,
  failure: new GatewayError('invalid_api_key'),
  ...given,
});

test('a refusal has a line with its reason, without account where no token is known, and no charge', () => {
  const { refusals, lines } = setUp();
  refusals.note(refusal());
  refusals.note(refusal({ principal, failure: invalidRequest("'x'\n must be y.", 'x') }));
  const [unknown, known] = lines;
  assert.deepEqual(
    [unknown?.account_id, unknown?.token_id, unknown?.status, unknown?.error_code, unknown?.charge],
    ['', '', 401, 'invalid_api_key', 0n],
  );
  assert.match(unknown?.reason ?? '', /API key/i);
  assert.deepEqual(
    [known?.account_id, known?.token_id, known?.status, known?.mode, known?.endpoint, known?.created_at],
    ['acc', 'tok', 400, 'test', '/v1/x', 7],
  );
  assert.equal(known?.reason, "'x'  must be y.");
});

test('what has a line already, passes, or is the fault of the gateway has none', () => {
  const { refusals, lines } = setUp();
  const logged = new GatewayError('not_found');
  logged.isLogged = true;
  const others = (['overloaded', 'internal_error', 'rate_limit_exceeded', 'client_gone'] as const).map(
    (code) => new GatewayError(code),
  );
  for (const failure of [logged, ...others]) refusals.note(refusal({ failure }));
  assert.deepEqual(lines, []);
});

test('an attack has a sample of lines, and takes none from tokens that are known', () => {
  const { refusals, lines, pass } = setUp();
  for (let count = 0; count < 10_000; count++) refusals.note(refusal());
  assert.equal(lines.length, 60);
  refusals.note(refusal({ principal }));
  assert.equal(lines.length, 61);
  pass(2_500);
  for (let count = 0; count < 10; count++) refusals.note(refusal());
  assert.equal(lines.length, 63);
  pass(3_600_000);
  for (let count = 0; count < 1_000; count++) refusals.note(refusal());
  assert.equal(lines.length, 123);
});

test('ten thousand tokens at once are not remembered forever', () => {
  const { refusals, lines } = setUp();
  for (let count = 0; count < 10_000; count++)
    refusals.note(refusal({ principal: { ...principal, tokenId: `tok_${count}` } }));
  assert.equal(lines.length, 10_000);
});
