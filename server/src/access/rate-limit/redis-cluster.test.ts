// Rate windows in a real Redis Cluster of three nodes: limits hold over all processes, as on one server (contract 1).
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import { startRedis } from '../../../../scripts/redis.mjs';
import { waitUntil } from '../../testing/wait-until.ts';
import type { RateRequest } from './rate-store.ts';
import { RedisStore } from './redis-store.ts';

type Node = NonNullable<Awaited<ReturnType<typeof startRedis>>> & { busPort: number };

const SLOTS = 16_384;
/** A busy machine may take its time. */
const SLOW = { commandMs: 20_000 };

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** undefined where no Redis can be had. */
async function startCluster(count: number): Promise<Node[] | undefined> {
  const nodes: Node[] = [];
  for (let number = 0; number < count; number++) {
    const busPort = await freePort();
    const node = await startRedis({ clusterPort: busPort });
    if (node === undefined) return undefined;
    nodes.push({ ...node, busPort });
  }
  const clients = nodes.map(({ url }) => new Redis(url));
  const share = Math.ceil(SLOTS / count);
  for (const [number, client] of clients.entries()) {
    const last = Math.min(SLOTS, (number + 1) * share) - 1;
    await client.cluster('ADDSLOTSRANGE', number * share, last);
    for (const { port, busPort } of nodes.slice(0, number))
      await client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
  }
  await waitUntil(async () => {
    const states = await Promise.all(clients.map((client) => client.cluster('INFO')));
    return states.every(
      (state) => state.includes('cluster_state:ok') && state.includes(`cluster_known_nodes:${count}`),
    );
  }, 'the nodes are a cluster');
  for (const client of clients) client.disconnect();
  return nodes;
}

describe('rate windows in a Redis Cluster', () => {
  let nodes: Node[] | undefined;
  before(async () => {
    nodes = await startCluster(3);
  });
  after(async () => {
    await Promise.all(nodes?.map((node) => node.stop()) ?? []);
  });

  test('two processes count a token and its account together, whatever node keeps them', async (t) => {
    if (nodes === undefined) return t.skip('no redis-server in PATH and none can be fetched here');
    const url = nodes.map((node) => node.url).join(',');
    const stores = [new RedisStore(url, SLOW), new RedisStore(url, SLOW)];
    t.after(() => stores.map((store) => store.close()));
    await waitUntil(() => stores.every(({ isConnected }) => isConnected), 'both are connected');
    const rate = { rpm: 5, tpm: 1_000_000, concurrency: 100 };
    // Many accounts, so that each node has some.
    for (let account = 0; account < 24; account++) {
      const subjects = [
        { key: `live:{acct_${account}}:tok_1`, rate },
        { key: `live:{acct_${account}}`, rate: { ...rate, rpm: 8 } },
      ];
      const admitOnce = async (number: number): Promise<boolean> => {
        const request: RateRequest = { requestId: `req_${account}_${number}`, subjects, tokens: 10 };
        const store = stores[number % 2] as RedisStore;
        const { blockedBy, second } = await store.admit(request);
        if (blockedBy === undefined) await store.end({ request, second, input: 9, output: 5 });
        return blockedBy === undefined;
      };
      const admitted = await Promise.all(Array.from({ length: 12 }, (_, number) => admitOnce(number)));
      assert.equal(admitted.filter(Boolean).length, 5, `account ${account}`);
    }
    const keys = await Promise.all(
      nodes.map(async (node) => {
        const client = new Redis(node.url);
        const count = await client.dbsize();
        client.disconnect();
        return count;
      }),
    );
    assert.ok(
      keys.every((count) => count > 0),
      `keys by node: ${keys.join(', ')}`,
    );
  });

  test('a cluster that lost a node answers for the rest, and rejects for what is gone', async (t) => {
    if (nodes === undefined) return t.skip('no redis-server in PATH and none can be fetched here');
    const store = new RedisStore(nodes.map((node) => node.url).join(','), SLOW);
    t.after(() => store.close());
    await waitUntil(() => store.isConnected, 'it is connected');
    await nodes[0]?.stop();
    const rate = { rpm: 5, tpm: undefined, concurrency: undefined };
    const asked = await Promise.allSettled(
      Array.from({ length: 24 }, (_, number) =>
        store.admit({ requestId: `req_${number}`, subjects: [{ key: `live:{gone_${number}}`, rate }], tokens: 0 }),
      ),
    );
    assert.ok(asked.some(({ status }) => status === 'rejected'));
  });
});
