// The checks of `doctor`, in order. Each says what it found; none changes anything.
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { nameOf } from '../../../server/src/start/check-books.ts';
import { type Config, readConfig } from '../../../server/src/start/config.ts';
import { proxiesOf } from '../../../server/src/start/open-clients.ts';
import { ConfigError } from '../../../server/src/start/settings/config-error.ts';
import { settingProblems } from '../../../server/src/start/setting-problems.ts';
import { findMasterSecret, opensStore } from '../../../server/src/start/master-secret.ts';
import { openSink } from '../../../server/src/export/open-sink.ts';
import { systemClock } from '../../../server/src/shared/clock.ts';
import { makeSecretBox } from '../../../server/src/shared/secret-box.ts';
import { StoreMissing } from '../../../server/src/store/migrations/migrate.ts';
import { openExistingStore } from '../../../server/src/store/open-store.ts';
import type { Store } from '../../../server/src/store/store.ts';
import { callOperator } from '../connection.ts';

export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'failure';
  detail: string;
  /** What to do. */
  advice?: string;
}

const LEAST_FREE_BYTES = 1024 ** 3;
const CLOCK_SECONDS = 5;
const WAIT_MS = 3_000;

export const checks: readonly (() => Promise<Finding[]>)[] = [
  checkSettings,
  checkStore,
  checkRedis,
  checkExports,
  checkPort,
  checkChannels,
];

function settings(): Config | undefined {
  try {
    return readConfig(process.env);
  } catch {
    return undefined;
  }
}

async function checkSettings(): Promise<Finding[]> {
  try {
    const { workers, sandbox, secret } = readConfig(process.env);
    const detail = `${workers} worker${workers === 1 ? '' : 's'}, sandbox ${sandbox ? 'on' : 'off'}`;
    if (secret !== undefined) return [{ check: 'settings', state: 'ok', detail }];
    const advice = 'The master secret is in the data folder. Keep a copy elsewhere, or give TOLLGATE_SECRET.';
    return [{ check: 'settings', state: 'warning', detail, advice }];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Set it right; docs/settings.md lists all settings.';
    return settingProblems(process.env).map((detail) => ({ check: 'settings', state: 'failure', detail, advice }));
  }
}

async function checkStore(): Promise<Finding[]> {
  const config = settings();
  if (config === undefined) return [];
  const name = nameOf(config);
  try {
    const store = await openExistingStore(config, { replica: true });
    try {
      return [
        { check: 'store', state: 'ok', detail: name },
        await checkSecret(store, config),
        await checkWrites(store, config),
        await checkClock(store),
        ...(await checkReplica(store)),
      ];
    } finally {
      await store.close();
    }
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof StoreMissing)
      return [{ check: 'store', state: 'warning', detail: `${name}: ${message}`, advice: 'The first start makes it.' }];
    const advice = 'See that the database runs, and that its address, user and password are right.';
    return [{ check: 'store', state: 'failure', detail: `${name}: ${message}`, advice }];
  }
}

/** As after a restore: the master secret is not in a backup. */
async function checkSecret(store: Store, { secret, dataFolder }: Config): Promise<Finding> {
  const check = 'secret';
  const found = findMasterSecret(secret, dataFolder);
  if (await opensStore(store, found === undefined ? undefined : makeSecretBox(found)))
    return { check, state: 'ok', detail: 'opens what is sealed in the store' };
  const detail =
    found === undefined
      ? 'there is none, and the store holds sealed keys'
      : 'is not the one that this store was set up with';
  const advice = 'Set TOLLGATE_SECRET, or put the file `secret` into the data folder, as the data was made with.';
  return { check, state: 'failure', detail, advice };
}

/** A statement that changes no row needs the same rights as one that does. */
async function checkWrites(store: Store, { databaseUrl, dataFolder }: Config): Promise<Finding> {
  try {
    await store.transaction(async (transaction) => {
      await transaction.updateTable('accounts').set({ name: '' }).where('id', '=', '').execute();
    });
    if (databaseUrl !== undefined) return { check: 'writes', state: 'ok', detail: 'the database takes changes' };
    await access(dataFolder, constants.W_OK);
    const { bavail, bsize } = await statfs(dataFolder);
    const free = bavail * bsize;
    const detail = `${(free / 1024 ** 3).toFixed(1)} GB free beside the database`;
    if (free >= LEAST_FREE_BYTES) return { check: 'writes', state: 'ok', detail };
    return { check: 'writes', state: 'warning', detail, advice: 'Free some space: a full disk stops every charge.' };
  } catch (error) {
    const advice = 'See that the disk is not full, and that the folder or database is not read-only.';
    return { check: 'writes', state: 'failure', detail: (error as Error).message, advice };
  }
}

async function checkClock(store: Store): Promise<Finding> {
  const off = Math.abs((await store.now()) - Date.now() / 1000);
  if (off <= CLOCK_SECONDS) return { check: 'clock', state: 'ok', detail: 'agrees with the store' };
  const detail = `differs from the store's by ${Math.round(off)} s`;
  return { check: 'clock', state: 'failure', detail, advice: 'Run a time service (NTP) on both machines.' };
}

async function checkReplica({ replica }: Store): Promise<Finding[]> {
  if (replica === undefined) return [];
  const { problem } = await replica.look();
  if (problem === undefined) return [{ check: 'replica', state: 'ok', detail: 'has what the store has' }];
  const advice =
    'Until then lists are read from the primary. See that DATABASE_READ_URL is a streaming replica of DATABASE_URL that keeps up.';
  return [{ check: 'replica', state: 'failure', detail: problem, advice }];
}

async function checkRedis(): Promise<Finding[]> {
  const addresses = settings()?.redisUrl?.split(',') ?? [];
  return Promise.all(addresses.map(checkRedisAt));
}

async function checkRedisAt(address: string): Promise<Finding> {
  const redis = new Redis(address, {
    lazyConnect: true,
    connectTimeout: WAIT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => {}); // the calls below say it
  try {
    await redis.connect();
    await redis.ping();
    return { check: 'redis', state: 'ok', detail: new URL(address).host };
  } catch (error) {
    const advice = 'Without it rate limits are counted per process. See that it runs and that REDIS_URL is right.';
    return { check: 'redis', state: 'failure', detail: (error as Error).message, advice };
  } finally {
    redis.disconnect();
  }
}

/** Sinks of the export, without anything written to them. */
async function checkExports(): Promise<Finding[]> {
  const config = settings();
  if (config === undefined) return [];
  const findings: Finding[] = [];
  for (const address of config.exportSinks) {
    const sink = openSink(address, systemClock, proxiesOf(config));
    try {
      await sink.check();
      findings.push({ check: 'export', state: 'ok', detail: sink.name });
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      const advice = 'Until it can be written to, rows wait in the store. See docs/export.md for what a sink needs.';
      findings.push({ check: 'export', state: 'failure', detail: `${sink.name}: ${message || code}`, advice });
    } finally {
      sink.close();
    }
  }
  return findings;
}

async function checkPort(): Promise<Finding[]> {
  const config = settings();
  if (config === undefined || config.port === 0) return [];
  const { port, host } = config;
  const check = 'port';
  if (await isFree(port, host)) return [{ check, state: 'ok', detail: `${port} is free` }];
  const url = `http://127.0.0.1:${port}/healthz`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) }).catch(() => undefined);
  if (answer?.ok === true) return [{ check, state: 'ok', detail: `${port}: a gateway answers` }];
  return [
    { check, state: 'failure', detail: `${port} is taken by another program`, advice: 'Set PORT to a free one.' },
  ];
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

async function checkChannels(): Promise<Finding[]> {
  if (!process.env['TOLLGATE_OPERATOR_KEY']) {
    const advice = 'Set TOLLGATE_OPERATOR_KEY to have the channels of a running gateway checked.';
    return [{ check: 'channels', state: 'warning', detail: 'not looked at', advice }];
  }
  try {
    const { data } = await callOperator<{ data: ChannelHealth[] }>('/channels', {
      query: { status: 'enabled', limit: '200' },
    });
    return data.map(({ name, health: { state, last_error: error } }) => {
      const isBad = state === 'failing' || state === 'down';
      const detail = `${name}: ${state === 'unknown' ? 'not used yet' : state}${isBad && error !== null ? `, ${error.message ?? ''}` : ''}`;
      if (!isBad) return { check: 'channel', state: 'ok', detail };
      return { check: 'channel', state: 'failure', detail, advice: 'Test it in the console, and look at its keys.' };
    });
  } catch (error) {
    return [{ check: 'channels', state: 'warning', detail: (error as Error).message }];
  }
}

interface ChannelHealth {
  name: string;
  health: { state: string; last_error: { message?: string } | null };
}
