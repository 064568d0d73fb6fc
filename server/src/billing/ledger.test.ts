import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../errors/gateway-error.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import type { Store } from '../store/store.ts';
import { addAccount, addToken } from '../testing/fixtures.ts';
import { onEveryStore } from '../testing/stores.ts';
import { type HoldRequest, Ledger } from './ledger.ts';

const AT = 1_770_000_000;
const clock = { now: () => AT * 1_000 + 999 };

const request = (requestId: string, amount: bigint, more: Partial<HoldRequest> = {}): HoldRequest => ({
  requestId,
  accountId: 'acc',
  tokenId: 'tok',
  mode: 'live',
  amount,
  price: '{"price":{"unit":"request","amount":"1"},"multiplier":"1"}',
  lifetime: 900,
  ...more,
});

const requestRow = (id: string, charge: bigint, more: Partial<RequestRow> = {}): RequestRow => ({
  id,
  account_id: 'acc',
  token_id: 'tok',
  group_name: 'default',
  endpoint: '/v1/chat/completions',
  model: 'm',
  channel_id: null,
  status: 200,
  error_code: null,
  attempts: '[]',
  first_byte_ms: 3,
  total_ms: 5,
  usage: '{"input_tokens":1,"output_tokens":2}',
  usage_source: 'upstream',
  charge,
  arithmetic: '1 per request',
  mode: 'live',
  created_at: AT,
  ...more,
});

async function prepared(store: Store, balance: bigint, quota: bigint | null = null): Promise<Ledger> {
  await addAccount(store, { id: 'acc', balance });
  await addToken(store, { id: 'tok', account_id: 'acc', quota });
  return new Ledger({ store, clock, owner: 'proc_1' });
}

const refusedAs =
  (message: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof GatewayError);
    assert.deepEqual([error.status, error.code], [402, 'insufficient_quota']);
    assert.equal(error.message, message);
    return true;
  };

/** Not "Retry shortly": that would be paid for twice. */
const CHARGED_LATER = { code: 'overloaded', message: /will be charged.*only if you need another answer/ };

onEveryStore((open) => {
  test('a hold keeps price, owner and end of life, and is there when the promise resolves (promises M-01, M-13)', async () => {
    const store = await open();
    const ledger = await prepared(store, 100n);
    await ledger.hold(request('req_1', 30n));
    const row = await store.reads.selectFrom('holds').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual(row, {
      id: 'req_1',
      request_id: 'req_1',
      task_id: null,
      account_id: 'acc',
      token_id: 'tok',
      amount: 30n,
      mode: 'live',
      price: request('', 0n).price,
      owner: 'proc_1',
      expires_at: AT + 900,
      created_at: AT,
      checkpoint: null,
    });
  });

  test("a hold expires by the database's clock, however far ours is from it", async () => {
    const store = await open();
    await prepared(store, 100n);
    const ledger = new Ledger({ store, clock, owner: 'proc_1', storeNow: () => AT + 5_000 });
    await ledger.hold(request('req_1', 30n));
    const hold = await store.reads.selectFrom('holds').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([hold.created_at, hold.expires_at], [AT, AT + 5_900]);
  });

  test('402 says that the balance is too low, how much may be due, and what helps', async () => {
    const ledger = await prepared(await open(), 29_999_999n);
    await assert.rejects(
      ledger.hold({ ...request('req_1', 30_000_000n), limitField: 'max_output_tokens' }),
      refusedAs(
        "The account's balance (0.029999999 left) does not cover this request, which may cost up to 0.03. Ask the operator for credit, or lower max_output_tokens.",
      ),
    );
  });

  test("402 says that the token's quota is too low", async () => {
    const store = await open();
    const ledger = await prepared(store, 10n ** 12n, 29n);
    await assert.rejects(
      ledger.hold(request('req_1', 30n)),
      refusedAs(
        "The token's quota (0.000000029 left) does not cover this request, which may cost up to 0.00000003. Ask the operator for a higher quota.",
      ),
    );
    await ledger.hold(request('req_2', 29n));
    const holds = await store.reads.selectFrom('holds').select('id').execute();
    assert.deepEqual(holds, [{ id: 'req_2' }], 'a refused request leaves no hold (promise M-14)');
  });

  test('a settle charges what is due and writes the line of the request log with it', async () => {
    const store = await open();
    const ledger = await prepared(store, 100n);
    await ledger.hold(request('req_1', 30n));
    assert.equal(await ledger.settle(requestRow('req_1', 12n)), 'settled');
    assert.equal(await ledger.settle(requestRow('req_1', 12n)), 'settled');
    const lines = await store.reads
      .selectFrom('ledger')
      .selectAll()
      .where('hold_id', '=', 'req_1')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      lines.map(({ kind, amount, request_id, usage_source, created_at }) => ({
        kind,
        amount,
        request_id,
        usage_source,
        created_at,
      })),
      [
        { kind: 'hold', amount: 30n, request_id: 'req_1', usage_source: null, created_at: AT },
        { kind: 'settle', amount: 12n, request_id: 'req_1', usage_source: 'upstream', created_at: AT },
        { kind: 'release', amount: 18n, request_id: 'req_1', usage_source: null, created_at: AT },
      ],
    );
    const logged = await store.reads.selectFrom('requests').selectAll().execute();
    assert.deepEqual(logged, [{ ...requestRow('req_1', 12n), reason: null, change: logged[0]?.change }]);
  });

  test('a release gives everything back and notes why', async () => {
    const store = await open();
    const ledger = await prepared(store, 100n);
    await ledger.hold(request('req_1', 30n));
    const failed = requestRow('req_1', 0n, {
      status: 502,
      error_code: 'upstream_error',
      usage: null,
      usage_source: null,
    });
    assert.equal(await ledger.release(failed), 'released');
    assert.equal(await ledger.settle(requestRow('req_1', 30n)), 'released', 'a settle that comes too late is reported');
    const account = await store.reads.selectFrom('accounts').select('balance').executeTakeFirstOrThrow();
    assert.equal(account.balance, 100n);
    const line = await store.reads
      .selectFrom('ledger')
      .selectAll()
      .where('kind', '=', 'release')
      .executeTakeFirstOrThrow();
    assert.deepEqual([line.amount, line.note], [30n, 'upstream_error']);
  });

  test('a request that held nothing is logged and moves no money', async () => {
    const store = await open();
    const ledger = await prepared(store, 100n);
    await ledger.log(requestRow('req_1', 0n, { status: 402 }));
    await ledger.log(requestRow('req_1', 0n, { status: 402 }));
    assert.equal((await store.reads.selectFrom('requests').selectAll().execute()).length, 1);
    assert.equal(
      (await store.reads.selectFrom('ledger').selectAll().where('kind', '!=', 'credit').execute()).length,
      0,
    );
  });

  test('an answer that came after somebody else ended its hold still has its line in the request log', async () => {
    const store = await open();
    const ledger = await prepared(store, 100n);
    await ledger.hold(request('req_1', 30n));
    const orphaned = {
      kind: 'end',
      holdId: 'req_1',
      charge: null,
      usageSource: null,
      at: AT,
      note: 'orphaned',
    } as const;
    await store.commit({ ...orphaned, request: null });
    await ledger.settle(requestRow('req_1', 12n));
    await ledger.release(requestRow('req_1', 0n, { status: 503, error_code: 'overloaded' }));
    assert.equal((await store.reads.selectFrom('requests').selectAll().execute()).length, 1);
  });

  test('what was delivered stays due when its charge cannot be written, until it is (promise M-07)', async () => {
    const store = await open();
    let isAway = false;
    const commit: Store['commit'] = (operation) =>
      isAway ? Promise.reject(new Error('the store is away')) : store.commit(operation);
    await prepared(store, 100n);
    const ledger = new Ledger({ store: { ...store, commit }, clock, owner: 'proc_1' });
    await ledger.hold(request('streamed', 30n));
    await ledger.hold(request('whole', 20n));
    isAway = true;
    await assert.rejects(ledger.settle(requestRow('streamed', 12n), { isDelivered: true }), CHARGED_LATER);
    await assert.rejects(ledger.settle(requestRow('whole', 8n)), /is away/);
    const failed = { status: 503, error_code: 'overloaded', usage: null, usage_source: null };
    await ledger.release(requestRow('streamed', 0n, failed)); // as for every call that failed
    await assert.rejects(ledger.release(requestRow('whole', 0n, failed)), /is away/);
    isAway = false;
    await ledger.finishEnds();
    const { used, held } = await store.reads.selectFrom('tokens').select(['used', 'held']).executeTakeFirstOrThrow();
    assert.deepEqual([used, held], [12n, 0n]);
    const logged = await store.reads
      .selectFrom('requests')
      .select(['id', 'charge', 'error_code'])
      .orderBy('id')
      .execute();
    assert.deepEqual(logged, [
      { id: 'streamed', charge: 12n, error_code: 'overloaded' }, // as its client was answered
      { id: 'whole', charge: 0n, error_code: 'overloaded' },
    ]);
  });

  test('one end that fails again keeps no other waiting', async () => {
    const store = await open();
    const commit: Store['commit'] = (operation) =>
      operation.kind === 'end' && operation.holdId === 'bad'
        ? Promise.reject(new Error('refused'))
        : store.commit(operation);
    await prepared(store, 100n);
    const ledger = new Ledger({ store: { ...store, commit }, clock, owner: 'proc_1' });
    for (const id of ['bad', 'good']) {
      await ledger.hold(request(id, 30n));
      ledger.keepDue(requestRow(id, 12n), undefined);
    }
    await assert.rejects(ledger.finishEnds(), /refused/);
    const { used, held } = await store.reads.selectFrom('tokens').select(['used', 'held']).executeTakeFirstOrThrow();
    assert.deepEqual([used, held], [12n, 30n]);
  });
});
