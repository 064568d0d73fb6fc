// Portkey's gateway from npm, a peer in the same language and on the same Node: on Node 20, which its image has, a small chat
// costs it about twice as much. Provider, address and key come with each request.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../processes/free-port.ts';
import { rootOf } from '../../processes/started.ts';
import { chatPath, loopback, type Target } from '../../wire/chat-request.ts';
import type { Relay, Surroundings } from '../relay.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import { fetchPeer } from './fetch-peer.ts';
import { peer, type StartedPeer } from './peer.ts';

const version = '1.15.2';
/** As in its own lock file and image: with the newest ones, which npm would take, it answers each stream with status 500. */
const ownServer = ['@hono/node-server@1.13.5', '@hono/node-ws@1.2.0', 'hono@4.9.7'];
const loopbackOnly = fileURLToPath(new URL('listen-on-loopback.mjs', import.meta.url));

/** Of the package that the entry file belongs to. */
function readVersion(file: string): string {
  const about = JSON.parse(readFileSync(join(dirname(file), '../package.json'), 'utf8')) as { version?: string };
  return about.version ?? 'of an unknown version';
}

async function start(file: string, { processes, upstreamPort }: Surroundings): Promise<StartedPeer> {
  const port = await findFreePort();
  const args = ['--import', loopbackOnly, file, `--port=${port}`, '--headless'];
  const env = { PATH: process.env['PATH'] ?? '', HOME: processes.folder, NODE_ENV: 'production' };
  const command = { name: 'Portkey', core: 'relay', program: process.execPath, args, env, isGuest: true } as const;
  const child = processes.start(command);
  await waitUntilAnswering({ name: 'Portkey', url: `http://127.0.0.1:${port}/`, child, processes });
  const target = (provider: string, base: string): Target => ({
    host: loopback,
    port,
    protocol: 'chat',
    path: chatPath,
    headers: { authorization: 'Bearer k', 'x-portkey-provider': provider, 'x-portkey-custom-host': base },
    model: 'bench-upstream',
  });
  const base = `http://127.0.0.1:${upstreamPort}/v1`;
  return {
    pids: rootOf(child),
    target: target('openai', base),
    translated: { chat: target('anthropic', base) },
    version: readVersion(file),
    does: 'relays to the provider that each request names; no token check, keeps nothing; accounting off; on the Node of this run',
  };
}

const packaged = {
  name: 'Portkey',
  version: `${version}-hono-4.9.7`, // names its folder: one that has the newest server is not used again
  size: '25 MB from npm, about half a minute',
  mostSeconds: 180,
  commands: (folder: string) => [
    ['npm', 'install', '--prefix', folder, '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'].concat([
      '--fetch-retries=1',
      '--fetch-timeout=30000',
      `@portkey-ai/gateway@${version}`,
      ...ownServer,
    ]),
  ],
};

/** `given` is the file `build/start-server.js` of the package. */
export function portkey(mayFetch: boolean, given?: string): Relay {
  return peer({
    name: 'Portkey',
    given,
    find: async ({ say }) => {
      const folder = await fetchPeer(packaged, { mayFetch, say });
      return typeof folder === 'string'
        ? join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
        : folder;
    },
    start,
  });
}
