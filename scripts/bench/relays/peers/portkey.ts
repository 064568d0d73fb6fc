// Portkey's gateway from npm, a peer in the same language. Provider, address and key come with each request.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../processes/free-port.ts';
import { chatPath, loopback, type Target } from '../../wire/chat-request.ts';
import type { Relay, Surroundings } from '../relay.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import { findPortkeyNode } from './portkey-node.ts';
import { peer } from './peer.ts';

const version = '1.15.2';
const loopbackOnly = fileURLToPath(new URL('listen-on-loopback.mjs', import.meta.url));

async function start(folder: string, { processes, upstreamPort, notes }: Surroundings) {
  const port = await findFreePort();
  const file = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  const args = ['--import', loopbackOnly, file, `--port=${port}`, '--headless'];
  const env = { PATH: process.env['PATH'] ?? '', HOME: processes.folder, NODE_ENV: 'production' };
  const { program, version: node } = findPortkeyNode();
  notes.push(
    `Portkey runs on Node ${node}. Its image has Node 20; on Node 24 a small chat costs it about half (measured: 656 to 739 us beside 1312 to 1521 us).`,
  );
  const command = { name: 'Portkey', core: 'relay', program, args, env, isGuest: true } as const;
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
  return { pid: child.pid, target: target('openai', base), translated: { chat: target('anthropic', base) } };
}

export function portkey(mayFetch: boolean): Relay {
  return peer({
    package: {
      name: 'Portkey',
      version,
      size: '25 MB from npm, about half a minute',
      mostSeconds: 180,
      commands: (folder) => [
        [
          'npm',
          'install',
          '--prefix',
          folder,
          '--ignore-scripts',
          '--no-fund',
          '--no-audit',
          '--loglevel=error',
        ].concat(['--fetch-retries=1', '--fetch-timeout=30000', `@portkey-ai/gateway@${version}`]),
      ],
    },
    mayFetch,
    start,
    words:
      'relays to the provider that each request names; it checks no token of its own, counts no money, keeps no log.',
  });
}
