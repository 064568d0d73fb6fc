import assert from 'node:assert/strict';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { AllowedMethods } from './allowed-methods.ts';
import { BaseAddresses } from './base-addresses.ts';
import { openFrontDoor } from './front-door.ts';
import type { PublicRoute } from './routes.ts';
import type { PublicDependencies } from './serve-public.ts';

const routes = [
  { method: 'POST', path: '/v1/chat/completions', carrier: 'compatible' },
  { method: 'GET', path: '/v1/models/*', carrier: 'compatible' },
] as unknown as PublicRoute[];

class Allowed extends AllowedMethods {
  override all(): string[] {
    return ['GET', 'POST'];
  }
}

interface Door {
  server: Server;
  /** Requests that went on to what stood behind the door. */
  behind: string[];
  /** Paths of requests that were served here, and whether by the legacy address. */
  served: string[];
}

/** A server that never listens: requests are put to it by hand, and refused at admission. */
function open({ draining = false, listening = true } = {}): Door {
  const behind: string[] = [];
  const served: string[] = [];
  const server = createServer((request, response) => {
    behind.push(`${request.method} ${request.url}`);
    response.end();
  });
  Object.defineProperty(server, 'listening', { value: listening });
  const refuse = (): never => {
    throw new Error('admission is not tested here');
  };
  const logger = { child: () => logger, isLevelEnabled: () => false, error() {}, warn() {}, info() {}, debug() {} };
  openFrontDoor(server, {
    routes,
    public: {
      draining: () => draining,
      admission: { arrive: refuse, leave: () => {} },
      metrics: { refused: () => {} },
      logger,
      earlyRefusals: { note: () => {} },
      refusals: { wait: async () => {} },
      maxBodyBytes: 1_000,
    } as unknown as PublicDependencies,
    addresses: new BaseAddresses(undefined, { url: 'http://old.example/api', host: 'old.example', prefix: '/api' }),
    clock: { now: () => 1_800_000_000_000 },
    keepAliveMs: 1_000,
    nameAnswer: (_request, response, { requestId, path, legacy }) => {
      served.push(`${path}${legacy ? ' legacy' : ''}`);
      response.setHeader('x-request-id', requestId);
    },
    allowed: new Allowed(),
    maxConnectionsPerAddress: 1,
  });
  return { server, behind, served };
}

/** What the server answers to a head. */
async function put(
  { server }: Door,
  {
    method = 'POST',
    url = '/v1/chat/completions',
    headers = {},
  }: { method?: string; url?: string; headers?: Record<string, string | string[]> } = {},
): Promise<{ status: number; head: string }> {
  const request = new IncomingMessage(new Socket());
  const rawHeaders = Object.entries({ host: 'x.example', ...headers }).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => [name, one]),
  );
  Object.assign(request, { method, url, rawHeaders, httpVersion: '1.1' });
  for (let index = 0; index < rawHeaders.length; index += 2)
    request.headers[rawHeaders[index] ?? ''] = rawHeaders[index + 1];
  const response = new ServerResponse(request);
  const ended = new Promise((resolve) => response.once('finish', resolve));
  const socket = new PassThrough();
  response.assignSocket(socket as unknown as Socket);
  server.emit('request', request, response);
  await ended;
  const [head = ''] = String(socket.read()).split('\r\n\r\n');
  return { status: response.statusCode, head };
}

test('a public path without a name in it is served at the door, everything else behind it (spec 4)', async () => {
  const door = open();
  await put(door, { url: '/v1/chat/completions?x=1' });
  await put(door, { method: 'GET', url: '/v1/models/gpt' });
  await put(door, { method: 'GET', url: '/v1/chat/completions' });
  await put(door, { url: '/console' });
  assert.deepEqual(door.served, ['/v1/chat/completions']);
  assert.deepEqual(door.behind, ['GET /v1/models/gpt', 'GET /v1/chat/completions', 'POST /console']);
});

test('the legacy address serves the same paths without its prefix (spec 9)', async () => {
  const door = open();
  await put(door, { url: '/api/v1/chat/completions', headers: { host: 'old.example' } });
  assert.deepEqual(door.served, ['/v1/chat/completions legacy']);
});

test('an answer of a draining process ends its connection', async () => {
  assert.match((await put(open({ draining: true }))).head, /^connection: close/m);
  assert.match((await put(open({ listening: false }))).head, /^connection: close/m);
  assert.doesNotMatch((await put(open())).head, /^connection: close/m);
});

test('a head that two readers could read differently is refused before anybody does, and its connection ends', async () => {
  const door = open();
  for (const headers of [{ authorization: ['Bearer a', 'Bearer b'] }, { host: 'a b' }]) {
    const { status, head } = await put(door, { headers });
    assert.equal(status, 400);
    assert.match(head, /^x-request-id: req_/m);
    assert.match(head, /^connection: close/m);
  }
  assert.deepEqual(door.behind, []);
});

test('OPTIONS * answers for the server as a whole (RFC 9110, 9.3.7)', async () => {
  const door = open();
  const { status, head } = await put(door, { method: 'OPTIONS', url: '*' });
  assert.equal(status, 204);
  assert.match(head, /^allow: GET, POST, OPTIONS\r$/m);
  assert.deepEqual(door.behind, []);
});

test('a CONNECT is answered 405 and its connection closed: this is no proxy', () => {
  const { server } = open();
  const socket = new PassThrough();
  server.emit('connect', {} as IncomingMessage, socket, Buffer.alloc(0));
  const answer = String(socket.read());
  assert.match(answer, /^HTTP\/1\.1 405 [\s\S]*allow: GET, POST\r\n[\s\S]*connection: close\r\n/);
  assert.ok(socket.writableEnded);
});
