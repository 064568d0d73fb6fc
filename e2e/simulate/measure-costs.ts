// Measures the costs of a simulation on a real PostgreSQL and Redis: processor time of the servers' own processes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startPostgres } from '../../scripts/postgres.mjs';
import { startRedis } from '../../scripts/redis.mjs';
import { RedisStore } from '../../server/src/access/rate-limit/redis-store.ts';
import { startSandbox } from '../../server/src/sandbox/server.ts';
import { readCatalogueRows } from '../../server/src/store/queries/catalogue.ts';
import { changesAfter, latestSequence } from '../../server/src/store/queries/changes.ts';
import { findPrincipal } from '../../server/src/store/queries/principals.ts';
import { claimTasks, firstPollAt } from '../../server/src/store/queries/claim-tasks.ts';
import { openStore } from '../../server/src/store/open-store.ts';
import type { Store } from '../../server/src/store/store.ts';
import { startGatewayProcess } from '../faults/gateway-process.ts';
import { Operator, TOKENS_MODEL, untilOffered } from '../faults/operator.ts';
import type { Costs } from './costs.ts';

const TIMES = 1_000;
const CHATS = 3_000;
const TASKS = 6_400;
const CLAIM = 64;
/** Clock ticks of Linux, in milliseconds. */
const TICK_MS = 10;

/** Processor milliseconds of the whole server: of its processes that live, and of those that have ended. */
async function databaseMs(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const server = statOf(rows[0]?.pid ?? 0).parent;
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ');
  const living = children.map((pid) => statOf(Number(pid)).ownMs);
  return living.reduce((sum, ms) => sum + ms, statOf(server).endedMs);
}

function statOf(pid: number): { parent: number; ownMs: number; endedMs: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (at) => fields[at] ?? 0,
  );
  return { parent, ownMs: (user + system) * TICK_MS, endedMs: (endedUser + endedSystem) * TICK_MS };
}

async function perTime(client: pg.Client, times: number, work: () => Promise<unknown>): Promise<number> {
  const before = await databaseMs(client);
  for (let time = 0; time < times; time++) await work();
  return ((await databaseMs(client)) - before) / times;
}

async function callMany(port: number, key: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const body = JSON.stringify({ model: TOKENS_MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Hello!' }] });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  let left = count;
  const callOn = async (): Promise<void> => {
    while (left-- > 0) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        request({ host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST', agent, headers }, (response) =>
          response.resume().once('end', () => resolve(response.statusCode)),
        )
          .once('error', reject)
          .end(body);
      });
      if (status !== 200) throw new Error(`a call answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 64 }, callOn));
  agent.destroy();
}

async function measureTasks(client: pg.Client, store: Store): Promise<Pick<Costs, 'due' | 'claim' | 'claimed'>> {
  await client.query(
    `insert into tasks select (jsonb_populate_record(task, jsonb_build_object('id', 'task_simulated' || number,
       'status', 'IN_PROGRESS', 'completed_at', null, 'next_poll_at', 0, 'lease_owner', null, 'lease_until', null,
       'channel_id', 'channel' || number % 100, 'idempotency_key', null))).*
     from tasks task, generate_series(1, $1::int) number`,
    [TASKS],
  );
  await client.query('analyze tasks');
  const due = await perTime(client, TIMES, () => firstPollAt(store.reads));
  await client.query(`insert into processes values ('simulation', 0, 4000000000) on conflict do nothing`);
  const claimOf = (limit: number) => () =>
    claimTasks(store, {
      owner: 'simulation',
      dueAt: 1,
      now: Math.floor(Date.now() / 1000),
      leaseSeconds: 120,
      silence: 10,
      capacity: new Map(),
      capacityPerChannel: 64,
      limit,
    });
  const one = await perTime(client, 200, claimOf(1));
  const many = await perTime(client, Math.floor((TASKS - 200) / CLAIM), claimOf(CLAIM));
  const claimed = Math.max(0, (many - one) / (CLAIM - 1));
  return { due, claim: one - claimed, claimed };
}

async function measureWindow(): Promise<number> {
  const server = await startRedis();
  if (server === undefined) throw new Error('no redis-server in PATH and none can be fetched here');
  const redis = new Redis(server.url);
  const rates = new RedisStore(server.url);
  try {
    await redis.ping();
    const usedMs = async (): Promise<number> => {
      const info = await redis.info('cpu');
      return ['used_cpu_user', 'used_cpu_sys'].reduce(
        (sum, name) => sum + Number(new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1]) * 1000,
        0,
      );
    };
    while (!rates.isConnected) await new Promise((resolve) => setTimeout(resolve, 10));
    const before = await usedMs();
    for (let number = 0; number < TIMES; number++) {
      const rate = { rpm: 1_000_000, tpm: 1_000_000_000, concurrency: 1_000 };
      const subjects = [
        { key: `token:${number % 50}`, rate },
        { key: `account:${number % 50}`, rate },
      ];
      const request = { requestId: `req_${number}`, subjects, tokens: 100 };
      const { second } = await rates.admit(request);
      await rates.end({ request, second, input: 90, output: 40 });
    }
    return ((await usedMs()) - before) / TIMES;
  } finally {
    rates.close();
    redis.disconnect();
    await server.stop();
  }
}

export async function measureCosts(): Promise<Costs> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-costs-'));
  const postgres = await startPostgres();
  const upstream = await startSandbox();
  const gateway = await startGatewayProcess({ databaseUrl: postgres.url, dataFolder: folder });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const store = await openStore({ databaseUrl: postgres.url, dataFolder: folder });
  try {
    const operator = new Operator(gateway.address);
    await operator.offerModels(upstream.baseUrl('openai'));
    for (let number = 0; number < 300; number++)
      await operator.send('PUT', `/models/model-${number}`, {
        price: { unit: 'tokens', input: '2.5', cached_input: '1.25', output: '10' },
      });
    for (let number = 0; number < 30; number++)
      await operator.send('POST', '/channels', {
        name: `channel ${number}`,
        provider: 'openai',
        base_url: upstream.baseUrl('openai'),
        keys: ['sandbox'],
        models: Object.fromEntries(
          Array.from({ length: 10 }, (_, index) => [`model-${number * 10 + index}`, 'sandbox-chat']),
        ),
      });
    const token = await operator.addToken(await operator.addAccount('1000000'));
    await untilOffered(gateway.address, token.key, TOKENS_MODEL);
    await callMany(gateway.port, token.key, 500);
    const beforeChats = await databaseMs(client);
    await callMany(gateway.port, token.key, CHATS);
    const chat = ((await databaseMs(client)) - beforeChats) / CHATS;
    const change = await perTime(client, 300, () => operator.send('PATCH', `/tokens/${token.id}`, { name: 'again' }));
    await operator.send('PUT', '/models/simulated-video', {
      price: { unit: 'video_tokens', generate: '7', video_input: '4.3' },
    });
    await operator.send('POST', '/channels', {
      name: 'videos',
      provider: 'beta-video',
      base_url: upstream.baseUrl('beta-video'),
      keys: ['sandbox'],
      models: { 'simulated-video': 'doubao-seedance-1-0-lite-t2v' },
    });
    await untilOffered(gateway.address, token.key, 'simulated-video');
    const video = await fetch(`${gateway.address}/v1/video/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'simulated-video', prompt: 'a train' }),
    });
    if (!video.ok) throw new Error(`a video was refused: ${await video.text()}`);
    await gateway.end('SIGTERM'); // from here on nobody else works on this database
    const { rows } = await client.query<{ key_hash: string }>('select key_hash from token_keys limit 1');
    const principal = await perTime(client, TIMES, () => findPrincipal(store.reads, rows[0]?.key_hash ?? ''));
    const latest = await latestSequence(store.reads);
    const look = await perTime(client, TIMES, () => changesAfter(store.reads, latest));
    const looks = await perTime(client, TIMES, () => changesAfter(store.reads, latest - 100));
    const catalogue = await perTime(client, 200, () => readCatalogueRows(store.reads));
    const tasks = await measureTasks(client, store);
    return {
      chat,
      principal,
      look,
      notice: Math.max(0, (looks - look) / 100),
      change,
      catalogue,
      ...tasks,
      looked: tasks.claimed,
      window: await measureWindow(),
    };
  } finally {
    await store.close();
    await client.end();
    await gateway.end('SIGKILL');
    await upstream.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
