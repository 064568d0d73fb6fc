import assert from 'node:assert/strict';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { AllowedMethods } from './allowed-methods.ts';
import { BaseAddresses } from './base-addresses.ts';
import { Arrivals, openFrontDoor } from './front-door.ts';
import type { PublicRoute } from './routes.ts';
import type { PublicDependencies } from './serve-public.ts';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

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

test('requests beyond those of a round wait for the next, and who has left meanwhile is not served', () => {
  const served: string[] = [];
  const rounds: (() => void)[] = [];
  const arrivals = new Arrivals({
    serve: ({ url }: { url: string; response: { destroyed: boolean } }) => void served.push(url),
    perRound: 2,
    nextRound: (work) => rounds.push(work),
  });
  const arrive = (url: string): { destroyed: boolean } => {
    const response = { destroyed: false };
    arrivals.arrive({ url, response });
    return response;
  };
  arrive('a');
  assert.equal(rounds.length, 0);
  arrive('b');
  const gone = arrive('c');
  arrive('d');
  arrive('e');
  assert.deepEqual([served, rounds.length], [['a', 'b'], 1]);
  gone.destroyed = true;
  rounds.shift()?.();
  assert.deepEqual([served, rounds.length], [['a', 'b', 'd'], 1]);
  rounds.shift()?.();
  assert.deepEqual([served, rounds.length], [['a', 'b', 'd', 'e'], 0]);
  arrive('f');
  assert.deepEqual([served.at(-1), rounds.length], ['f', 1]);
});

/** Clients that ask again as soon as they are answered. */
const CROWD = `
  const { connect } = require('node:net');
  const { workerData: { port, connections } } = require('node:worker_threads');
  for (let count = 0; count < connections; count++) {
    const socket = connect(port, '127.0.0.1', () => socket.write(ask));
    socket.on('data', () => socket.write(ask));
    socket.on('error', () => {});
  }
  const ask = 'GET / HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n';
`;

test('a crowd that asks again at once does not keep the event loop from its rounds (promise B-08)', async (t) => {
  const perRound = 64;
  let sinceRound = 0;
  let mostInRound = 0;
  const seen = { all: 0 };
  const arrivals = new Arrivals({
    perRound,
    serve({ response }: { response: ServerResponse }) {
      mostInRound = Math.max(mostInRound, ++sinceRound);
      seen.all++;
      response.end('no');
    },
  });
  const server = createServer((_request, response) => arrivals.arrive({ response }));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // More than libuv takes from the system at once: then it goes on reading before anything else runs.
  const crowd = new Worker(CROWD, { eval: true, workerData: { port, connections: 2_000 } });
  t.after(async () => {
    await crowd.terminate();
    server.closeAllConnections();
    server.close();
  });
  // On a busy machine the crowd may wait for its turn.
  const until = performance.now() + 120_000;
  while (seen.all < 20_000 && performance.now() < until) {
    await new Promise((resolve) => setImmediate(resolve));
    if (sinceRound === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    sinceRound = 0;
  }
  assert.ok(seen.all >= 10_000, `only ${seen.all} requests came`);
  assert.ok(mostInRound <= 4 * perRound, `${mostInRound} requests were served before the event loop went on`);
});
