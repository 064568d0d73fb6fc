import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { wait } from './wait.ts';
import { answeredWithin } from './lag-aware-timeout.ts';

/** Nothing else runs meanwhile. */
function sleepDeeply(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test('an answer that is there when a late process looks is in time (promise B-10)', async (t) => {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => {
    socket.destroy();
    server.close();
  });
  await once(socket, 'connect');
  const answer = once(socket, 'data').then(([bytes]) => String(bytes));
  const limited = answeredWithin(50, answer, 'too late');
  socket.write('here');
  sleepDeeply(200);
  assert.equal(await limited, 'here');
});

test('an answer that does not come is given up after the time, and a failure is returned as it is', async () => {
  const startedAt = performance.now();
  await assert.rejects(answeredWithin(50, new Promise(() => {}), 'too late'), { message: 'too late' });
  assert.ok(performance.now() - startedAt >= 45);
  const failing = wait(5).then(() => Promise.reject(new Error('broken')));
  await assert.rejects(answeredWithin(1_000, failing, 'too late'), { message: 'broken' });
});
