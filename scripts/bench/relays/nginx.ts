// nginx as a bare proxy, the yardstick of the budget: one worker, kept upstream connections, no log, nothing buffered.
// It is used where it is installed and left out, with a word to the reader, where it is not.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFileLimit } from '../processes/cost.ts';
import { findFreePort } from '../processes/free-port.ts';
import { chatPath, loopback } from '../wire/chat-request.ts';
import { rootOf } from '../processes/started.ts';
import type { Relay } from './relay.ts';
import { waitUntilAnswering } from './wait-until-answering.ts';

/** Both sides of the largest crowd that a row brings. */
const mostFiles = 32_768;
const paths = ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];

function findNginx(): { program: string; about: string } | undefined {
  for (const program of paths) {
    const asked = spawnSync(program, ['-V'], { encoding: 'utf8' });
    if (asked.status === 0) return { program, about: asked.stderr };
  }
  return undefined;
}

/** Temporary paths of the modules that were built in; a directive of any other one would be refused. */
function temporaryPaths(about: string, folder: string): string {
  const modules = ['proxy', 'fastcgi', 'uwsgi', 'scgi'].filter(
    (name) => !about.includes(`--without-http_${name}_module`),
  );
  return ['client_body', ...modules].map((name) => `  ${name}_temp_path ${folder}/nginx-${name};`).join('\n');
}

function writeConfig(settings: { port: number; upstreamPort: number; folder: string; about: string }): string {
  const { port, upstreamPort, folder, about } = settings;
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
worker_rlimit_nofile ${Math.min(openFileLimit(), mostFiles)};
pid ${folder}/nginx.pid;
error_log ${folder}/nginx-error.log;
events { worker_connections ${mostFiles}; }
http {
  access_log off;
${temporaryPaths(about, folder)}
  client_max_body_size 64m;
  keepalive_requests 1000000000;
  keepalive_timeout 3600s;
  upstream bench {
    server 127.0.0.1:${upstreamPort};
    keepalive 1024;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=2048;
    location / {
      proxy_pass http://bench;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_request_buffering off;
    }
  }
}
`;
}

export const nginx: Relay = {
  name: 'nginx',
  start: async ({ processes, upstreamPort }) => {
    const found = findNginx();
    if (found === undefined)
      return { leftOut: 'nginx is not installed: its column and all multiples of it are left out.' };
    const port = await findFreePort();
    const file = join(processes.folder, 'nginx.conf');
    writeFileSync(file, writeConfig({ port, upstreamPort, folder: processes.folder, about: found.about }));
    const args = ['-p', processes.folder, '-c', file];
    const child = processes.start({ name: 'nginx', core: 'relay', program: found.program, args });
    await waitUntilAnswering({ name: 'nginx', url: `http://127.0.0.1:${port}/`, child, processes });
    return {
      name: 'nginx',
      role: 'proxy',
      target: { host: loopback, port, protocol: 'chat', path: chatPath, headers: {}, model: 'bench-upstream' },
      translated: undefined,
      pids: rootOf(child),
      does: 'relays bytes; accounting off',
      version: /nginx\/\S+/.exec(found.about)?.[0],
    };
  },
};
