// What is relied on beyond the public parts of Node, V8 and undici, by name: it stands in this folder and nowhere else, and the
// pinned versions have it (issue 30, item 6). A change of version that turns this red names what has to be looked at.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { Agent, createServer as createHttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../../../..');

/** Private names, and the files that use them. */
const RELIED_UPON: Readonly<Record<string, readonly string[]>> = {
  _handle: ['handle-pipe.ts', 'read-into-buffer.ts', 'unsent-bytes.ts'],
  'process.binding': ['handle-pipe.ts'],
  writeQueueSize: ['unsent-bytes.ts'],
  _server: ['read-into-buffer.ts'],
  _httpMessage: ['response-under-way.ts'],
  'undici/lib/api/api-request.js': ['undici.ts'],
  'undici/lib/core/connect.js': ['undici.ts'],
  'undici/lib/core/errors.js': ['undici.ts'],
  'undici/lib/dispatcher/agent.js': ['undici.ts'],
  'undici/lib/dispatcher/pool.js': ['undici.ts'],
};
/** Set while the process runs, by a file of this folder, or in the script that starts it. */
const V8_FLAGS = [
  'expose-gc',
  'memory-reducer-favors-memory',
  'heap-growing-percent',
  'max-semi-space-size',
  'short-builtin-calls',
  'allocation-site-pretenuring',
];

/** Methods of streams that are meant to be overridden. */
const TO_OVERRIDE = /^_(?:construct|read|write|writev|final|destroy|transform|flush)$/;

/** Every name with an underscore that sockets, servers, requests and answers of this Node have. */
function fieldsOfNode(): string[] {
  const socket = new Socket();
  const request = new IncomingMessage(socket);
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  const names = new Set<string>();
  for (const start of [socket, request, response, createHttpServer(), new Agent()]) {
    for (let one: unknown = start; one !== null && one !== Object.prototype; one = Object.getPrototypeOf(one))
      for (const name of Object.getOwnPropertyNames(one)) if (/^_[a-z]/.test(name)) names.add(name);
  }
  socket.destroy();
  return [...names].filter((name) => !TO_OVERRIDE.test(name));
}

/** Fields of Node, files inside of packages, and doors to what is inside Node. */
const PRIVATE = [
  new RegExp(`(?<![\\w$])(?:${fieldsOfNode().join('|')})(?![\\w$])`, 'g'),
  /\bundici\/lib\/[\w/.-]+/g,
  /\b(?:writeQueueSize|getOwnPropertySymbols|moduleLoadList|internalBinding)\b|process\.binding\b|node:internal/g,
];

function privateNames(text: string): Set<string> {
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  return new Set(PRIVATE.flatMap((pattern) => Array.from(code.matchAll(pattern), ([name]) => name)));
}

test('private names of Node and undici are used in this folder alone, by the files that the list names', () => {
  const found: Record<string, string[]> = {};
  for (const file of globSync(['server/src/**/*.ts', 'contract/src/**/*.ts', 'cli/src/**/*.ts'], { cwd: root })) {
    if (/\.test\.ts$|\/testing\//.test(file)) continue;
    for (const name of privateNames(readFileSync(join(root, file), 'utf8'))) {
      assert.match(file, /^server\/src\/shared\/runtime\//, `${name} is used in ${file}`);
      found[name] = [...(found[name] ?? []), basename(file)].sort();
    }
  }
  assert.deepEqual(found, RELIED_UPON);
});

test('sockets of the pinned Node have what is relied on', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const socket = (await accepted) as Socket & { _handle: { writeQueueSize: unknown }; _server: unknown };
  assert.equal(typeof socket._handle.writeQueueSize, 'number');
  assert.equal(socket._server, server);
  client.destroy();
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('node:http names the answer that a connection is busy with', async () => {
  let busyWith: unknown;
  const server = createHttpServer((request, response) => {
    busyWith = (request.socket as Socket & { _httpMessage?: unknown })._httpMessage === response;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).arrayBuffer();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  assert.equal(busyWith, true);
});

test('the files of undici that are loaded by themselves are there', () => {
  const load = createRequire(import.meta.url);
  for (const path of Object.keys(RELIED_UPON).filter((name) => name.startsWith('undici/')))
    assert.equal(typeof load(path), path.endsWith('errors.js') ? 'object' : 'function', path);
});

test('V8 knows every flag that is set', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of V8_FLAGS) assert.match(known, new RegExp(`^\\s+--(?:\\[no-\\])?${flag}\\b`, 'm'), flag);
  const scripts = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } })
    .scripts;
  const started = Array.from(scripts.start.matchAll(/--(?:no-)?([a-z0-9-]+)/g), ([, flag = '']) => flag);
  const ofNode = ['v8-pool-size', 'use-largepages'];
  assert.deepEqual(
    started.filter((flag) => !V8_FLAGS.includes(flag) && !ofNode.includes(flag)),
    [],
    'flags of `npm start` that the list does not name',
  );
});
