import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { ask, listen, startWorld } from '../../testing/plain-world.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { readIntoBuffer } from './read-into-buffer.ts';

async function startServer(t: TestContext, onPiece: (socket: Socket, piece: Buffer) => boolean) {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (accepted) => {
    const socket = readIntoBuffer(accepted, server, (piece) => onPiece(socket, piece));
    sockets.push(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const open = (): Socket => connect((server.address() as AddressInfo).port, '127.0.0.1');
  return { server, sockets, open };
}

test('what came on one connection stays as it is while others are read', async (t) => {
  const pieces: Buffer[] = [];
  const { open } = await startServer(t, (_socket, piece) => pieces.push(piece) > 0);
  const clients = Array.from({ length: 8 }, () => open());
  t.after(() => clients.forEach((client) => void client.destroy()));
  const texts = clients.map((_, index) => String(index).repeat(300 * (index + 1)));
  for (const [index, client] of clients.entries()) {
    client.write(texts[index] ?? '');
    await waitUntil(() => pieces.length === index + 1, 'nothing came');
  }
  assert.deepEqual(pieces.map(String), texts);
});

test('a socket that may have no more waits, and goes on where it was', async (t) => {
  let bytes = 0;
  const { open, sockets } = await startServer(t, (_socket, piece) => {
    bytes += piece.length;
    return bytes > 100_000;
  });
  const client = open();
  t.after(() => void client.destroy());
  client.write(Buffer.alloc(1_000_000, 'x'));
  await waitUntil(() => bytes > 0, 'nothing came');
  const first = bytes;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(bytes, first);
  await waitUntil(() => {
    sockets[0]?.resume();
    return bytes >= 1_000_000;
  }, 'it did not go on');
  assert.equal(bytes, 1_000_000);
});

test('an end is reported while the other half stays open, and the server knows how many connections it has', async (t) => {
  const { server, open, sockets } = await startServer(t, () => true);
  const connections = promisify(server.getConnections.bind(server));
  const client = open();
  const heard = listen(client);
  await waitUntil(() => sockets.length === 1, 'no connection');
  const [socket] = sockets;
  assert.ok(socket);
  assert.equal(socket.remoteAddress, '127.0.0.1');
  const ended = once(socket, 'end');
  client.end('x');
  await ended;
  assert.equal(await connections(), 1);
  socket.end('answer');
  await waitUntil(() => heard.text === 'answer' && heard.ended, 'no answer behind the end');
  await waitUntil(() => socket.destroyed, 'the socket stayed open');
  assert.equal(await connections(), 0);
  const closed = once(server, 'close');
  server.close();
  await closed;
});

test('node:http goes on with a connection that was read into the shared buffer, also where it reads through the stream', async (t) => {
  const { server, open } = await startWorld(t);
  const came: string[] = [];
  server.on('upgrade', (_request, socket: Socket, head: Buffer) => {
    came.push(head.toString());
    socket.on('data', (piece: Buffer) => void came.push(piece.toString()));
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  const client = open();
  const heard = listen(client);
  client.write(ask('"1"'));
  await waitUntil(() => heard.text.includes('"1"'), 'no plain answer');
  client.write('GET /other HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhead');
  await waitUntil(() => heard.text.includes('101 Switching'), 'no upgrade');
  for (const text of ['one', 'two']) {
    client.write(text);
    await waitUntil(() => came.at(-1) === text, `${text} did not come`);
  }
  assert.deepEqual(came, ['head', 'one', 'two']);
});
