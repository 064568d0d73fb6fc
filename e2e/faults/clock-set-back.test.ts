// A clock that is set back by an hour (FT-10) keeps nobody out for that hour: windows, pauses and the word of being ready
// are measured with a clock that nobody sets.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Gateway } from '../../server/src/gateway.ts';
import { openStore } from '../../server/src/store/open-store.ts';
import { fillDataFolder } from '../../server/src/testing/templates.ts';
import { chat } from './chat-client.ts';
import { statusOf } from './gateway-process.ts';
import { FLAT_MODEL, Operator, untilOffered } from './operator.ts';
import { startOwnGateway } from './rig/own-gateway.ts';
import { StubProvider } from './rig/providers/stub-provider.ts';

const HOUR_MS = 3_600_000;

/** What the wall says, and what has really passed. */
const time = { wall: Date.now(), steady: Date.now() };
function pass(milliseconds: number): void {
  time.wall += milliseconds;
  time.steady += milliseconds;
}

describe('a clock that is set back by an hour', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  let isStoreAway = false;
  let stub: StubProvider;
  let gateway: Gateway;
  let addToken: (rate: object) => Promise<string>;
  let key: string;

  before(async () => {
    await fillDataFolder(dataFolder);
    stub = await StubProvider.start();
    gateway = await startOwnGateway(
      { databaseUrl: undefined, dataFolder },
      {
        clock: { now: () => time.wall },
        steadyClock: { now: () => time.steady },
        async openStore(settings) {
          const store = await openStore(settings);
          return { ...store, ping: () => (isStoreAway ? Promise.reject(new Error('away')) : store.ping()) };
        },
      },
    );
    const operator = new Operator(gateway.address);
    await operator.offerModels(stub.baseUrl);
    const account = await operator.addAccount('1000');
    addToken = async (rate) => (await operator.addToken(account, null, { rate })).key;
    key = await addToken({});
    await untilOffered(gateway.address, key, FLAT_MODEL);
  });
  after(async () => {
    await gateway.stop(1_000);
    await stub.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });
  beforeEach(() => {
    stub.script = () => ({});
    pass(2 * HOUR_MS);
  });

  const call = async (as = key): Promise<number | undefined> =>
    (await chat({ address: gateway.address, key: as, model: FLAT_MODEL, text: 'Hello', stream: false })).status;

  test('neither lengthens a window of a rate limit nor resets it (promise B-10)', async () => {
    const limited = await addToken({ rpm: 2 });
    assert.deepEqual([await call(limited), await call(limited), await call(limited)], [200, 200, 429]);
    time.wall -= HOUR_MS;
    assert.equal(await call(limited), 429, 'not reset');
    time.wall += 2 * HOUR_MS;
    assert.equal(await call(limited), 429, 'nor by a clock that is set forward');
    time.wall -= 2 * HOUR_MS;
    pass(61_000);
    assert.deepEqual([await call(limited), await call(limited), await call(limited)], [200, 200, 429]);
  });

  test('does not keep a key cooling that was asked to slow down', async () => {
    stub.script = () => ({ status: 429, headers: { 'retry-after': '30' } });
    assert.equal(await call(), 429);
    stub.script = () => ({});
    time.wall -= HOUR_MS;
    assert.equal(await call(), 429, 'it is left alone for as long as it asked');
    pass(30_000);
    assert.equal(await call(), 200);
  });

  test('does not keep a channel out that failed', async () => {
    stub.script = () => ({ status: 500 });
    for (let failure = 0; failure < 5; failure++) assert.equal(await call(), 502);
    stub.script = () => ({});
    time.wall -= HOUR_MS;
    assert.equal(await call(), 503);
    pass(5_000);
    assert.equal(await call(), 200);
  });

  test('does not make /readyz repeat itself', async (t) => {
    t.after(() => (isStoreAway = false));
    assert.equal(await statusOf(`${gateway.address}/readyz`), 200);
    isStoreAway = true;
    time.wall -= HOUR_MS;
    pass(1_000);
    assert.equal(await statusOf(`${gateway.address}/readyz`), 503);
  });
});
