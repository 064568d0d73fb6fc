import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Arrivals } from './arrivals.ts';

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
