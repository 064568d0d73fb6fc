import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { waitUntil } from '../../testing/wait-until.ts';
import { RawReply } from './client-reply.ts';

type Answer = (reply: RawReply, response: ServerResponse, path: string) => Promise<void> | void;

async function serve(t: TestContext, answer: Answer): Promise<Socket> {
  const server = createServer((request, response) => {
    void answer(new RawReply(response), response, request.url ?? '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  return socket;
}

const ask = (path: string, version = '1.1'): string => `GET ${path} HTTP/${version}\r\nhost: x\r\n\r\n`;

/** The bytes as they come, until they end with this. */
async function readUntil(socket: Socket, end: string, times = 1): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => void (text += piece));
  await waitUntil(() => text.split(end).length > times, `no ${JSON.stringify(end)}`);
  return text;
}

const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

test('each write is one chunk, whatever its size and in whichever round; nothing is none', async (t) => {
  const large = 'l'.repeat(20_000);
  const socket = await serve(t, async (reply) => {
    reply.beginStream();
    for (const text of ['first', '', 'second', large, 'x'.repeat(8192)]) {
      reply.write(Buffer.from(text));
      reply.write(Buffer.from('same round'));
      await nextRound();
    }
    reply.end(Buffer.from('last'));
  });
  socket.write(ask('/'));
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  const wanted = ['first', '', 'second', large, 'x'.repeat(8192)]
    .flatMap((text) => (text === '' ? [chunk('same round')] : [chunk(text), chunk('same round')]))
    .join('');
  assert.equal(bodyOf(await readUntil(socket, '0\r\n\r\n')), `${wanted}${chunk('last')}0\r\n\r\n`);
});

test('one connection carries one stream after another, also where the next was asked for early', async (t) => {
  const socket = await serve(t, async (reply, _response, path) => {
    reply.beginStream();
    for (let index = 0; index < 5; index++) {
      reply.write(Buffer.from(`${path}${index}`));
      await nextRound();
    }
    reply.end(undefined);
  });
  socket.write(ask('/a') + ask('/b') + ask('/c'));
  const text = await readUntil(socket, '\r\n0\r\n\r\n', 3);
  const chunks = [...text.matchAll(/\r\n3\r\n(?=(\/[abc]\d)\r\n)|\r\n(\/[abc]\d)\r\n/g)].flatMap(
    ([, one, two]) => one ?? two,
  );
  const wanted = ['/a', '/b', '/c'].flatMap((path) => [0, 1, 2, 3, 4].map((index) => `${path}${index}`));
  assert.deepEqual([...new Set(chunks)], wanted);
  assert.equal(text.split('HTTP/1.1 200').length, 4);
});

test('a client of HTTP/1.0 gets the bytes alone', async (t) => {
  const socket = await serve(t, async (reply) => {
    reply.beginStream();
    for (const text of ['a', 'b', 'c']) {
      reply.write(Buffer.from(text));
      await nextRound();
    }
    reply.end(Buffer.from('d'));
  });
  socket.write(ask('/', '1.0'));
  const text = await readUntil(socket, 'abcd');
  assert.equal(bodyOf(text), 'abcd');
});

test('a client that does not read is waited for, and gets everything', async (t) => {
  const piece = Buffer.alloc(8000, 'p');
  let waits = 0;
  const socket = await serve(t, async (reply) => {
    reply.beginStream();
    for (let index = 0; index < 2000; index++) {
      if (reply.write(piece)) continue;
      waits++;
      await new Promise<void>((resolve) => {
        reply.onDrain(resolve);
      });
    }
    reply.end(Buffer.from('end of it'));
  });
  socket.pause().write(ask('/'));
  await waitUntil(() => waits > 0, 'never full');
  socket.resume();
  const text = await readUntil(socket, 'end of it\r\n0\r\n\r\n');
  assert.equal(
    text.split('p').length - 1 - (text.slice(0, text.indexOf('\r\n\r\n')).split('p').length - 1),
    16_000_000,
  );
});

test('what is written to a client that left goes nowhere', async (t) => {
  let gone = 0;
  const replied = Promise.withResolvers<RawReply>();
  const socket = await serve(t, (reply) => {
    reply.onGone(() => gone++);
    reply.beginStream();
    reply.write(Buffer.from('one'));
    replied.resolve(reply);
  });
  socket.write(ask('/'));
  const reply = await replied.promise;
  await readUntil(socket, 'one');
  socket.destroy();
  await waitUntil(() => {
    reply.write(Buffer.from('more'));
    return gone === 1;
  }, 'nobody heard that it left');
  assert.equal(reply.write(Buffer.from('even more')), true);
});
