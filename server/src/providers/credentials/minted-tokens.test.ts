import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MintedTokens } from './minted-tokens.ts';

const HOUR = 3_600_000;

function makeMint(lifetimeMs = HOUR) {
  const clock = { at: 1_000_000, now: () => clock.at };
  const tokens = new MintedTokens();
  let minted = 0;
  let failure: Error | undefined;
  const mint = async () => {
    minted += 1;
    await Promise.resolve();
    if (failure !== undefined) throw failure;
    return { text: `token-${minted}`, lifetimeMs };
  };
  return {
    clock,
    tokens,
    get: (name = 'a') => tokens.get(name, clock, mint),
    get minted() {
      return minted;
    },
    fail: (error: Error | undefined) => (failure = error),
  };
}

test('a token is fetched once for all calls that wait for it, and is at hand at once afterwards (contract-2 9)', async () => {
  const world = makeMint();
  const all = await Promise.all([world.get(), world.get(), world.get()]);
  assert.deepEqual([all, world.minted], [['token-1', 'token-1', 'token-1'], 1]);
  assert.equal(world.get(), 'token-1');
  assert.equal(await world.get('b'), 'token-2');
});

test('it is renewed before it ends while calls go on with it, and never sent after its end (contract-2 9)', async () => {
  const world = makeMint();
  await world.get();
  world.clock.at += HOUR - 299_000;
  assert.equal(world.get(), 'token-1');
  await new Promise(setImmediate);
  assert.deepEqual([world.get(), world.minted], ['token-2', 2]);
  world.clock.at += HOUR;
  assert.equal(await world.get(), 'token-3');
});

test('a renewal that fails leaves the token in use, and is tried again a little later', async () => {
  const world = makeMint();
  await world.get();
  world.fail(new Error('away'));
  world.clock.at += HOUR - 200_000;
  assert.equal(world.get(), 'token-1');
  await new Promise(setImmediate);
  assert.deepEqual([world.get(), world.minted], ['token-1', 2]);
  world.clock.at += 6_000;
  world.fail(undefined);
  world.get();
  await new Promise(setImmediate);
  assert.equal(world.get(), 'token-3');
});

test('a token that was refused is fetched again, once for all that were refused with it (contract-2 9)', async () => {
  const world = makeMint();
  await world.get();
  world.tokens.forget('a', 'token-1');
  const second = world.get();
  world.tokens.forget('a', 'token-1');
  assert.deepEqual([await second, await world.get(), world.minted], ['token-2', 'token-2', 2]);
  world.tokens.forget('a', 'token-1');
  assert.equal(world.get(), 'token-2');
});

test('a failure is returned to all that wait, and the next call tries again', async () => {
  const world = makeMint();
  world.fail(new Error('no'));
  const waiting = await Promise.allSettled([world.get(), world.get()]);
  assert.deepEqual(
    waiting.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  world.fail(undefined);
  assert.deepEqual([await world.get(), world.minted], ['token-2', 2]);
});
