// Servers that a relay keeps its books in: a private PostgreSQL with the server's own settings (but for room for more
// connections), so that a commit is on the disk, and a private Redis that keeps nothing on disk. Both run on the relay's core,
// and what they cost is counted with it.
import pg from 'pg';
import { startPostgres } from '../../postgres.mjs';
import { startRedis } from '../../redis.mjs';
import type { StartedProcesses } from './started.ts';

export interface Database {
  url: string;
  pid: number;
}

export async function startDatabase(processes: StartedProcesses): Promise<Database & { version: string }> {
  const { url, pid, stop } = await startPostgres(undefined, {
    settings: ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'],
    prefix: processes.pinning('relay'),
  });
  processes.endToo({ pid, stop });
  return { url, pid, version: await readVersion(url) };
}

/** As the server says it: 18.4. */
async function readVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? 'of an unknown version';
  } finally {
    await client.end();
  }
}

/** Undefined where no server can be had. */
export async function startCache(processes: StartedProcesses): Promise<Database | undefined> {
  const redis = await startRedis({ prefix: processes.pinning('relay') });
  if (redis === undefined) return undefined;
  processes.endToo(redis);
  return { url: redis.url, pid: redis.pid };
}
