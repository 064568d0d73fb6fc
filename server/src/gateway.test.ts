// A start that fails leaves nothing behind: no open store, no sandbox, no timer.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Gateway, type Replacements, startGateway, type Surroundings } from './gateway.ts';
import { readConfig } from './start/config.ts';
import { wait } from './shared/wait.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import { makeLogger } from './telemetry/logger.ts';
import { fillDataFolder } from './testing/templates.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-start-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const { logger } = makeLogger('silent');
const config = (settings: Record<string, string> = {}) =>
  readConfig({ PORT: '0', TOLLGATE_DATA_DIR: folder, TOLLGATE_SECRET: 'a secret of sixteen letters', ...settings });
const start = (
  settings: Record<string, string>,
  replaced: Replacements & { others?: Surroundings },
): Promise<Gateway> => startGateway(config(settings), logger, replaced);
/** Spread over all queries of a start: each is a whole start, which costs. */
const MOST_STARTS = 8;
/** What keeps a process alive, by kind: servers, threads, timers. */
const resources = (): string => process.getActiveResourcesInfo().sort().join();
/** Threads and sockets end a moment after they were closed; what was left behind stays. */
async function resourcesOnceBackAt(before: string): Promise<string> {
  for (const end = performance.now() + 20_000; resources() !== before && performance.now() < end;) await wait(10);
  return resources();
}

/** Fails the query with this number, counted over all ways to the database. */
function failingStore(store: Store, failAt: number) {
  const seen = { queries: 0, failed: false, closed: 0 };
  const count = (): void => {
    seen.queries++;
    if (seen.queries !== failAt) return;
    seen.failed = true;
    throw new Error('this query fails');
  };
  const plugin: Parameters<Store['reads']['withPlugin']>[0] = {
    transformQuery({ node }) {
      count();
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const reads = store.reads.withPlugin(plugin);
  const wrapped = new Proxy(store, {
    get(target, name) {
      if (name === 'reads') return reads;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (name === 'close') seen.closed++;
        else if (name === 'transaction' || name === 'rewrite' || name === 'now') {
          try {
            count();
          } catch (error) {
            return Promise.reject(error);
          }
        }
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
  return { seen, wrapped };
}

async function startWithFailure(failAt: number) {
  let seen = { queries: 0, failed: false, closed: 0 };
  const opened = async (settings: Parameters<typeof openStore>[0]): Promise<Store> => {
    const store = failingStore(await openStore(settings), failAt);
    ({ seen } = store);
    return store.wrapped;
  };
  const before = resources();
  const gateway = await start({}, { openStore: opened }).catch((error: Error) => error);
  const during = seen.queries;
  if (!(gateway instanceof Error)) await gateway.stop(0);
  return {
    isRejected: gateway instanceof Error,
    queries: during,
    closed: seen.closed,
    before,
    after: await resourcesOnceBackAt(before),
  };
}

test('a start that fails at a query, early or late, closes the store and stops all that it started', async () => {
  await fillDataFolder(folder);
  const whole = await startWithFailure(Number.POSITIVE_INFINITY);
  assert.equal(whole.isRejected, false);
  let rejected = 0;
  for (let failAt = 1; failAt <= whole.queries; failAt += Math.ceil(whole.queries / MOST_STARTS)) {
    const run = await startWithFailure(failAt);
    assert.equal(run.closed, 1, `the store is closed once when query ${failAt} fails`);
    assert.equal(run.after, run.before, `nothing runs on when query ${failAt} fails`);
    if (run.isRejected) rejected++;
  }
  assert.ok(rejected >= 3, `${rejected} starts failed, of ${whole.queries} queries`);
});

test('a start whose port is taken at the last moment stops all that it started', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => {
    taken.listen(0, '127.0.0.1', resolve);
  });
  const { port } = taken.address() as { port: number };
  let closed = 0;
  const opened = async (settings: Parameters<typeof openStore>[0]): Promise<Store> => {
    const store = await openStore(settings);
    const close = store.close.bind(store);
    return Object.assign(store, { close: () => ((closed += 1), close()) });
  };
  const others = { slot: 1, workers: 1, sandboxUrl: undefined, allMetrics: async () => '', refreshAll: async () => {} };
  const before = resources();
  const settings = { PORT: String(port), HOST: '127.0.0.1' };
  await assert.rejects(start(settings, { openStore: opened, others }), { code: 'EADDRINUSE' });
  assert.equal(closed, 1);
  assert.equal(await resourcesOnceBackAt(before), before);
  taken.close();
});
