// Connections at a stop: an idle one does not hold the process, a request under way gets its answer (promises O-01, B-07).
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { chatBody, takeApart } from './support/chat.ts';
import { startProcess } from './support/process.ts';
import { openSocket, statuses } from './support/socket.ts';
import { pause, waitUntil } from './support/wait.ts';

const CHAT = JSON.stringify(chatBody('sandbox-chat', 'hello'));
const GET = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
const HALF_A_HEAD = 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n';
/** After so long node:http has what is silent. */
const SILENCE_MS = 2_500;
/** Half a head has 15 s; the rest is for a busy machine, and less than the minute that node:http would give it. */
const HEAD_MS = 45_000;

const folder = mkdtempSync(join(tmpdir(), 'tollgate-stop-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function start(t: TestContext) {
  const started = await startProcess({ TOLLGATE_DATA_DIR: folder });
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await started.stop('SIGKILL');
  });
  const headers = `host: x\r\nauthorization: Bearer ${started.printed.demoToken}\r\ncontent-type: application/json\r\n`;
  const ask = `POST /v1/chat/completions HTTP/1.1\r\n${headers}content-length: ${CHAT.length}\r\n\r\n${CHAT}`;
  /** A connection that says this, and when it ended. */
  const open = async (words = '') => {
    const socket = openSocket(started.address);
    sockets.push(socket);
    const seen = { socket, text: '', endedAt: Number.POSITIVE_INFINITY };
    socket.on('data', (piece: Buffer) => void (seen.text += piece.toString('latin1')));
    socket.on('close', () => void (seen.endedAt = performance.now()));
    await once(socket, 'connect');
    socket.write(words);
    return seen;
  };
  const openServed = async (words: string) => {
    const seen = await open(words);
    await waitUntil(() => statuses(seen.text).join() === '200', `not served: ${seen.text}`);
    return seen;
  };
  return { ...started, ask, open, openServed };
}

test('a stop closes connections on which nothing is asked, half a head after its time, and no stream', async (t) => {
  const { address, printed, child, ended, ask, open, openServed } = await start(t);
  const idle: Record<string, Awaited<ReturnType<typeof open>>> = {
    'silent for long': await open(),
    'idle, plain': await openServed(ask),
    'idle, of node:http': await openServed(GET),
  };
  const half = {
    'half a head': await open(HALF_A_HEAD),
    'half a head behind a plain request': await openServed(ask),
    'half a head behind a request of node:http': await openServed(GET),
  };
  await pause(SILENCE_MS);
  const stream = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${printed.demoToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(chatBody('sandbox-chat', '[[pace 100]] [[long 150]]', { stream: true })),
  });
  for (const { socket, text: served } of Object.values(half)) if (served !== '') socket.write(HALF_A_HEAD);
  idle['silent'] = await open();
  await pause(100); // so that halves are there
  const from = performance.now();
  child.kill('SIGTERM');
  const { done, error, text } = takeApart(await stream.text());
  const streamMs = performance.now() - from;
  assert.ok(done && error === undefined);
  assert.equal(text.split(' ').length, 150);
  assert.equal(await ended, 0);
  const endOf = Object.entries({ ...idle, ...half, process: { endedAt: performance.now() } });
  const ms = Object.fromEntries(endOf.map(([what, { endedAt }]) => [what, Math.round(endedAt - from)]));
  // At once is long before the end of the stream, which takes 15 s.
  for (const what of Object.keys(idle)) assert.ok((ms[what] ?? 0) < streamMs, `${what}: ${JSON.stringify(ms)}`);
  for (const what of Object.keys(half)) assert.ok((ms[what] ?? 0) < HEAD_MS, `${what}: ${JSON.stringify(ms)}`);
  assert.ok((ms['process'] ?? 0) < Math.max(streamMs, HEAD_MS) + HEAD_MS, JSON.stringify(ms));
});
