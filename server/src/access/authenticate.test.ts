import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../errors/gateway-error.ts';
import { endTokenKeys, insertTokenKey } from '../store/queries/tokens.ts';
import type { Reads, Store } from '../store/store.ts';
import type { AccountsTable, TokensTable } from '../store/tables.ts';
import { addAccount, addToken } from '../testing/fixtures.ts';
import { onEveryStore } from '../testing/stores.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { makeAccessToken } from './access-token.ts';
import { Authenticator } from './authenticate.ts';

const AT = 1_770_000_000;

interface Bench {
  store: Store;
  clock: { seconds: number; now(): number };
  authenticator: Authenticator;
  key: string;
  /** Lookups so far. */
  queries: () => number;
}

async function setUp(
  open: () => Promise<Store>,
  token: Partial<TokensTable> = {},
  account: Partial<AccountsTable> = {},
): Promise<Bench> {
  const store = await open();
  const clock = { seconds: AT, now: () => clock.seconds * 1000 };
  await addAccount(store, { id: 'acc', ...account });
  await addToken(store, { id: 'tok', account_id: 'acc', ...token });
  const { reads, queries } = counted(store.reads);
  return { store, clock, authenticator: new Authenticator({ reads, clock }), key: await addKey(store), queries };
}

async function addKey(store: Store): Promise<string> {
  const { key, keyHash } = makeAccessToken();
  await store.transaction((transaction) =>
    insertTokenKey(transaction, { key_hash: keyHash, token_id: 'tok', ends_at: null, created_at: AT }),
  );
  return key;
}

function counted(reads: Reads): { reads: Reads; queries: () => number } {
  let queries = 0;
  const plugged = reads.withPlugin({
    transformQuery({ node }) {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { reads: plugged, queries: () => queries };
}

async function refusalOf(authenticator: Authenticator, key: string): Promise<{ code: string; message: string }> {
  const outcome = await Promise.try(() => authenticator.authenticate(key)).catch((error: unknown) => error);
  assert.ok(outcome instanceof GatewayError, 'the key was accepted');
  return { code: outcome.code, message: outcome.message };
}

onEveryStore((open) => {
  test('a key becomes its principal, with the scopes of token and account', async () => {
    const { authenticator, key } = await setUp(
      open,
      {
        models: '["gpt*"]',
        ip_allow: '["10.0.0.0/8"]',
        rate: '{"rpm":60,"tpm":null,"concurrency":2}',
        expires_at: AT + 9,
      },
      { group_name: 'vip', models: '["gpt-4"]' },
    );
    const { ipAllow, ...principal } = await authenticator.authenticate(key);
    assert.deepEqual(principal, {
      tokenId: 'tok',
      accountId: 'acc',
      accountStatus: 'active',
      accountModels: ['gpt-4'],
      tokenModels: ['gpt*'],
      group: 'vip',
      mode: 'live',
      status: 'enabled',
      expiresAt: AT + 9,
      keyEndsAt: undefined,
      origins: undefined,
      rateSubjects: [{ key: 'live:{acc}:tok', rate: { rpm: 60, tpm: undefined, concurrency: 2 } }],
      storeBodies: undefined,
      strict: false,
      fitBalance: false,
    });
    assert.equal(ipAllow?.matches('10.1.1.1'), true);
  });

  test("a token's own group wins over its account's; nothing set means no limit", async () => {
    const { authenticator, key } = await setUp(open, { group_name: 'own', mode: 'test' }, { group_name: 'vip' });
    const principal = await authenticator.authenticate(key);
    assert.equal(principal.group, 'own');
    assert.equal(principal.mode, 'test');
    assert.equal(principal.ipAllow, undefined);
    assert.equal(principal.tokenModels, undefined);
  });

  test('a token seen a moment ago is answered at once and without a lookup', async () => {
    const { authenticator, key, queries } = await setUp(open);
    const first = await authenticator.authenticate(key);
    assert.equal(queries(), 1);
    for (let i = 0; i < 100; i++) assert.equal(authenticator.authenticate(key), first);
    assert.equal(queries(), 1);
  });

  test('requests that come together share one lookup', async () => {
    const { authenticator, key, queries } = await setUp(open);
    const principals = await Promise.all(Array.from({ length: 50 }, async () => authenticator.authenticate(key)));
    assert.equal(new Set(principals).size, 1);
    assert.equal(queries(), 1);
  });

  test('unknown, malformed and ended keys get one and the same refusal (promise A-07)', async () => {
    const { store, authenticator, key, queries } = await setUp(open);
    await store.transaction((transaction) => endTokenKeys(transaction, 'tok', { at: AT, endsAt: AT }));
    const refusals = [];
    const keys = [
      key,
      makeAccessToken().key,
      '',
      'sk-',
      'x',
      `${key} `,
      `sk-${'ä'.repeat(50)}`,
      'sk-\0',
      'k'.repeat(100_000),
    ];
    for (const each of keys) refusals.push(await refusalOf(authenticator, each));
    assert.deepEqual(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size, 1);
    assert.equal(refusals[0]?.code, 'invalid_api_key');
    assert.equal(queries(), keys.length);
  });

  test('only the true key learns that its token is disabled, expired or its account disabled', async () => {
    for (const [token, account, code] of [
      [{ status: 'disabled' }, {}, 'token_disabled'],
      [{ expires_at: AT }, {}, 'token_expired'],
      [{}, { status: 'disabled' }, 'account_disabled'],
      [{ status: 'disabled', expires_at: AT }, { status: 'disabled' }, 'token_disabled'],
    ] as const) {
      const { authenticator, key } = await setUp(open, token, account);
      assert.equal((await refusalOf(authenticator, key)).code, code);
      assert.equal((await refusalOf(authenticator, key)).code, code, 'from memory too');
      assert.equal((await refusalOf(authenticator, `${key}0`)).code, 'invalid_api_key');
    }
  });

  test('of several keys the one that is known counts, two that are known are refused (contract-2 7)', async () => {
    const { store, authenticator, key } = await setUp(open);
    const unknown = [makeAccessToken().key, 'not a key'];
    assert.equal((await authenticator.authenticateOneOf([...unknown, key])).tokenId, 'tok');
    const refusal = async (keys: string[]): Promise<{ code: string; message: string }> => {
      const outcome = await authenticator.authenticateOneOf(keys).catch((error: unknown) => error);
      assert.ok(outcome instanceof GatewayError, 'the keys were accepted');
      return { code: outcome.code, message: outcome.message };
    };
    assert.deepEqual(await refusal(unknown), await refusalOf(authenticator, 'not a key'));
    const second = await addKey(store);
    assert.match((await refusal([key, second])).message, /several API keys that differ/);
    assert.equal((await refusal([key, second])).code, 'invalid_api_key');
  });

  test('a token expires in its second, also when it is known', async () => {
    const { authenticator, key, clock, queries } = await setUp(open, { expires_at: AT + 10 });
    clock.seconds = AT + 9;
    await authenticator.authenticate(key);
    clock.seconds = AT + 10;
    assert.equal((await refusalOf(authenticator, key)).code, 'token_expired');
    assert.equal(queries(), 1);
  });

  test('a rotated key works through its grace beside the new one, and not a second longer', async () => {
    const { store, authenticator, key: old, clock } = await setUp(open);
    await authenticator.authenticate(old);
    await store.transaction((transaction) => endTokenKeys(transaction, 'tok', { at: AT, endsAt: AT + 60 }));
    const fresh = await addKey(store);
    authenticator.forgetToken('tok');

    clock.seconds = AT + 59;
    assert.equal((await authenticator.authenticate(old)).keyEndsAt, AT + 60);
    assert.equal((await authenticator.authenticate(fresh)).keyEndsAt, undefined);
    clock.seconds = AT + 60;
    assert.equal((await refusalOf(authenticator, old)).code, 'invalid_api_key');
    assert.equal((await authenticator.authenticate(fresh)).tokenId, 'tok');
  });

  test('forgetting a token, an account or everything makes the next request look again, others not', async () => {
    const { authenticator, key, queries } = await setUp(open);
    const lookups = async () => {
      const before = queries();
      await authenticator.authenticate(key);
      return queries() - before;
    };
    await lookups();
    for (const [forget, expected] of [
      [() => authenticator.forgetToken('tok'), 1],
      [() => authenticator.forgetAccount('acc'), 1],
      [() => authenticator.forgetAll(), 1],
      [() => authenticator.forgetToken('other'), 0],
      [() => authenticator.forgetAccount('other'), 0],
    ] as const) {
      forget();
      assert.equal(await lookups(), expected);
    }
  });

  test('a lookup that a change overtook is neither kept nor joined', async () => {
    const { store, authenticator, key, queries } = await setUp(open);
    const early = authenticator.authenticate(key);
    await store.transaction((transaction) =>
      transaction.updateTable('tokens').set({ status: 'disabled' }).where('id', '=', 'tok').execute(),
    );
    authenticator.forgetToken('tok');
    const late = refusalOf(authenticator, key);
    await Promise.allSettled([early]);
    assert.equal((await late).code, 'token_disabled');
    assert.equal((await refusalOf(authenticator, key)).code, 'token_disabled');
    assert.equal(queries(), 2);
  });

  test('a store that fails or hangs refuses with 503 and is asked again by the next request', async () => {
    const { store, clock, key } = await setUp(open);
    let failure: Promise<never> | undefined = Promise.reject(new Error('no connection'));
    failure.catch(() => {});
    const reads = store.reads.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => (failure === undefined ? result : failure),
    });
    const authenticator = new Authenticator({ reads, clock, lookupMs: 30 });
    assert.equal((await refusalOf(authenticator, key)).code, 'overloaded');
    failure = new Promise(() => {});
    assert.equal((await refusalOf(authenticator, key)).code, 'overloaded');
    failure = undefined;
    const isServed = async (): Promise<boolean> => {
      const principal = await Promise.try(() => authenticator.authenticate(key)).catch(() => undefined);
      return principal?.tokenId === 'tok';
    };
    // On a busy machine a good store may take longer than the short time given here.
    await waitUntil(isServed, 'the store is not asked again');
  });

  test('memory is bounded: the token not seen for longest is looked up again', async () => {
    const { store, clock } = await setUp(open);
    const { reads, queries } = counted(store.reads);
    const authenticator = new Authenticator({ reads, clock, size: 2 });
    const [a, b, c] = [await addKey(store), await addKey(store), await addKey(store)];
    for (const key of [a, b, a, c, a]) await authenticator.authenticate(key);
    assert.equal(queries(), 3);
    await authenticator.authenticate(b);
    assert.equal(queries(), 4);
  });
});
