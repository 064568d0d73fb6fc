// new-api, a peer in Go, from a program that the operator has. On PostgreSQL and Redis where they can be had, as its own
// documents advise, else on SQLite; what they cost is counted with it. It listens on every address of the machine.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startCache, startDatabase } from '../../processes/databases.ts';
import { findFreePort } from '../../processes/free-port.ts';
import { rootOf } from '../../processes/started.ts';
import { chatPath, loopback, messagesPath, type Target } from '../../wire/chat-request.ts';
import type { Relay, Surroundings } from '../relay.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import { setUpNewApi } from './set-up-new-api.ts';
import { notGiven, peer, type StartedPeer } from './peer.ts';

const timeoutMs = 60_000;

async function start(program: string, { processes, upstreamPort }: Surroundings): Promise<StartedPeer> {
  const port = await findFreePort();
  const folder = join(processes.folder, 'new-api');
  mkdirSync(folder);
  const database = await startDatabase(processes).catch(() => undefined);
  const cache = await startCache(processes).catch(() => undefined);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: processes.folder,
    GIN_MODE: 'release',
    SESSION_SECRET: randomBytes(24).toString('hex'),
    SQLITE_PATH: join(folder, 'new-api.db'),
    BATCH_UPDATE_ENABLED: 'true',
    MEMORY_CACHE_ENABLED: 'true',
    SYNC_FREQUENCY: '5', // seconds until it sees the channels that it is given
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    CRITICAL_RATE_LIMIT_ENABLE: 'false',
    RELAY_MAX_IDLE_CONNS_PER_HOST: '2000',
    RELAY_MAX_IDLE_CONNS: '2000',
    ...(database !== undefined && {
      SQL_DSN: `${database.url}?sslmode=disable`,
      SQL_MAX_OPEN_CONNS: '100', // below what the server takes
    }),
    ...(cache !== undefined && { REDIS_CONN_STRING: cache.url }),
  };
  const words = ['--port', String(port), '--log-dir', folder];
  const child = processes.start({ name: 'new-api', core: 'relay', program, args: words, env, isGuest: true });
  const address = `http://127.0.0.1:${port}`;
  await waitUntilAnswering({ name: 'new-api', url: `${address}/api/status`, child, processes, timeoutMs });
  const { key, version } = await setUpNewApi(address, upstreamPort);
  const headers = { authorization: `Bearer ${key}` };
  const target: Target = { host: loopback, port, protocol: 'chat', path: chatPath, headers, model: 'bench-upstream' };
  const servers = [database, cache].filter((server) => server !== undefined);
  const where = `${database === undefined ? 'SQLite' : `PostgreSQL ${database.version}, fsync on,`}${cache === undefined ? '' : ' and Redis'}`;
  return {
    pids: [...rootOf(child), ...servers.map(({ pid }) => pid)],
    target,
    translated: {
      chat: { ...target, model: 'bench-messages' },
      messages: { ...target, protocol: 'messages', path: messagesPath },
    },
    version,
    does: `checks a token, settles quota, writes a log row for each request; accounting on, quotas written in batches; ${where}, their processor time counted`,
  };
}

export function newApi(given: string | undefined): Relay {
  return peer({ name: 'new-api', given, find: notGiven('new-api'), start });
}
