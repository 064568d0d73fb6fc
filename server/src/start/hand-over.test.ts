// The unix socket at which the port is handed over: only the user of the gateway reaches it, and nothing that is said there
// ends the gateway (issue 33, point 7).
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { handleOf, portOf } from '../shared/runtime/handle-pipe.ts';
import { HAND_OVER } from './hand-over-messages.ts';
import { HandOver } from './hand-over.ts';

/** Of node:net: the file is there, and nothing else has run since. */
const BOUND = 'tracing:net.server.listen:asyncEnd';

async function offering(t: TestContext, turnMs?: number) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'hand-'));
  t.after(() => rmSync(dataFolder, { recursive: true, force: true }));
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  let isRelieved = false;
  const handOver = new HandOver({
    settings: { dataFolder, host: '127.0.0.1' },
    logger: { warn: () => undefined },
    listener: () => handleOf(server),
    onRelieved: () => void (isRelieved = true),
    ...(turnMs !== undefined && { turnMs }),
  });
  t.after(() => handOver.close());
  const path = join(dataFolder, `port-${portOf(handleOf(server))}.sock`);
  return { handOver, path, isRelieved: () => isRelieved };
}

test('what is no message of a new process closes its connection, and nothing else', async (t) => {
  const { handOver, path, isRelieved } = await offering(t);
  await handOver.open();
  for (const text of ['null\n', '1\n', '"wanted"\n', '[]\n', 'no json\n', '{"kind":"ready"}\n', 'x'.repeat(200_000)]) {
    const socket = connect(path);
    socket.on('error', () => undefined);
    socket.write(text);
    await new Promise((resolve) => socket.once('close', resolve));
  }
  assert.equal(isRelieved(), false);
});

test('no other user may ever connect, whatever files may be by default', async (t) => {
  const { handOver, path } = await offering(t);
  const before = process.umask(0);
  t.after(() => process.umask(before));
  const modes: number[] = [];
  const see = (): void => void modes.push(statSync(path).mode & 0o777);
  subscribe(BOUND, see);
  t.after(() => unsubscribe(BOUND, see));
  await handOver.open();
  see();
  assert.deepEqual(modes, [0o600, 0o600]);
  assert.equal(process.umask(), 0);
});

/** Asks for the port; the first line of the answer, and the end of the connection. */
function ask(t: TestContext, path: string) {
  const socket = connect(path);
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(`${JSON.stringify({ kind: 'wanted', protocol: HAND_OVER, version: 'test' })}\n`);
  const answer = once(socket, 'data').then(([data]) => (JSON.parse(String(data)) as { kind: string }).kind);
  return { socket, answer, closed: once(socket, 'close') };
}

test('one that asks and stays silent keeps others out for its turn, and not longer (issue 33, point 7)', async (t) => {
  const short = await offering(t, 0);
  await short.handOver.open();
  const silent = ask(t, short.path);
  assert.equal(await silent.answer, 'listener');
  const next = ask(t, short.path);
  assert.equal(await next.answer, 'listener');
  await silent.closed;
  assert.equal(short.isRelieved(), false);
  next.socket.write('{"kind":"ready"}\n');
  await next.closed;
  assert.equal(short.isRelieved(), true);

  const long = await offering(t);
  await long.handOver.open();
  assert.equal(await ask(t, long.path).answer, 'listener');
  assert.equal(await ask(t, long.path).answer, 'refused');
});
