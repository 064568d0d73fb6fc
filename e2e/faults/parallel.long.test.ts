// 500 calls at once on money for exactly 7 (FT-21), on one gateway and on two that share a database.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '../../server/src/sandbox/server.ts';
import type { StoreSettings } from '../../server/src/store/open-store.ts';
import { onEveryStoreSettings } from '../../server/src/testing/stores.ts';
import { chat } from './chat-client.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { FLAT_MODEL, FLAT_NANO, Operator, untilOffered } from './operator.ts';
import { checkBooks, readBooks } from './reconcile.ts';

const CALLS = 500;
const RETRIES = 120;
const COVERED = 7;
/** The promise is about twenty; one, made eight times in all, is enough to notice that it broke, and `npm run faults` makes more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1);
/** Money for seven calls and a little that is not enough for the eighth. */
const ENOUGH_FOR_SEVEN = '0.079999999';
const PLENTY = '1000';

/** A slow machine refuses what it cannot take at once (promise B-08): such a call comes again, as clients do. */
async function untilServed<T extends { code?: string | undefined }>(call: () => Promise<T>): Promise<T> {
  for (let left = RETRIES; ; left--) {
    const answer = await call();
    if (answer.code !== 'overloaded' || left === 0) return answer;
    await pause(1_000);
  }
}

async function callAll(gateways: GatewayProcess[], key: string): Promise<Map<string, number>> {
  const entries = await Promise.all(
    Array.from({ length: CALLS }, (_, index) => {
      const { address } = gateways[index % gateways.length] ?? { address: '' };
      const stream = index % 3 === 0;
      const text = 'Hello [[slow 100]] [[long 3]]';
      return untilServed(() => chat({ address, key, model: FLAT_MODEL, text, stream }));
    }),
  );
  const outcomes = new Map<string, number>();
  for (const { status, code, complete, failure } of entries) {
    const outcome = failure ?? `${status} ${code ?? (complete ? 'complete' : 'incomplete')}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return outcomes;
}

const EXPECTED = new Map([
  ['200 complete', COVERED],
  ['402 insufficient_quota', CALLS - COVERED],
]);
const asObject = (outcomes: Map<string, number>): object => Object.fromEntries(outcomes);

onEveryStoreSettings((makeSettings) => {
  for (const processes of [1, 2]) {
    describe(`${processes === 1 ? 'one gateway' : 'two gateways'} on one database`, () => {
      let settings: StoreSettings;
      let upstream: Sandbox;
      let gateways: GatewayProcess[] = [];
      let operator: Operator;

      before(async () => {
        settings = await makeSettings();
        upstream = await startSandbox();
        // All at once, on an empty database: the second must not disturb the first (FT-29).
        gateways = await Promise.all(Array.from({ length: processes }, () => startGatewayProcess(settings)));
        operator = new Operator(gateways[0]?.address ?? '');
        await operator.offerModels(upstream.baseUrl('openai'));
      });
      after(async () => {
        await Promise.all(gateways.map((gateway) => gateway.end('SIGTERM')));
        await upstream.stop();
      });

      for (const limit of ['quota', 'balance'] as const) {
        test(`${CALLS} parallel calls on a ${limit} for ${COVERED}: exactly ${COVERED} succeed (promise M-02)`, async () => {
          for (let round = 0; round < ROUNDS; round++) {
            const account = await operator.addAccount(limit === 'balance' ? ENOUGH_FOR_SEVEN : PLENTY);
            const token = await operator.addToken(account, limit === 'quota' ? ENOUGH_FOR_SEVEN : null);
            for (const { address } of gateways) await untilOffered(address, token.key, FLAT_MODEL);
            const seenBefore = upstream.records.length;
            assert.deepEqual(asObject(await callAll(gateways, token.key)), asObject(EXPECTED), `round ${round}`);
            assert.equal(upstream.records.length - seenBefore, COVERED, 'no more calls reach the upstream');
            const books = await readBooks(settings);
            checkBooks(books);
            const used = books.tokens.find(({ id }) => id === token.id)?.used;
            assert.equal(used, BigInt(COVERED) * FLAT_NANO);
            const balance = books.accounts.find(({ id }) => id === account)?.balance ?? -1n;
            if (limit === 'balance') assert.equal(balance, 9_999_999n);
          }
        });
      }
    });
  }
});
