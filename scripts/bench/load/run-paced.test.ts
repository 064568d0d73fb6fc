import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { chatPath } from '../wire/chat-request.ts';
import { runJob } from './run-job.ts';

test('in the open loop every request that is due is sent and timed, also while the relay stalls', async () => {
  let arrived = 0;
  let stallUntil = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      arrived += 1;
      if (arrived === 50) stallUntil = performance.now() + 300;
      const wait = Math.max(0, stallUntil - performance.now());
      setTimeout(() => response.end('x'.repeat(500)), wait);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const target = { host: '127.0.0.1', port, protocol: 'chat', path: chatPath, headers: {}, model: 'm' } as const;
  const result = await runJob({ kind: 'paced', target, bodyBytes: 500, rate: 200, seconds: 0.5 }, () => undefined);
  server.close();
  server.closeAllConnections();
  assert.deepEqual(result.failures, {});
  assert.equal(result.times.length, 100);
  // A closed loop over the same connections would have met the stall once for each; here all who were due did.
  assert.ok(result.times.filter((time) => time > 100_000).length >= 30);
  assert.equal(result.requests, 132); // with those that opened the first connections
});
