import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ask, count, echo, listen, startWorld } from '../../testing/plain-world.ts';
import { waitUntil } from '../../testing/wait-until.ts';

test('an answer of known length goes at the pace of its reader too', async (t) => {
  let drained = 0;
  const { open } = await startWorld(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 30_000_000 });
    let left = 30;
    const write = (): void => {
      while (left-- > 0) {
        if (response.write(Buffer.alloc(1_000_000, 'x'))) continue;
        response.once('drain', () => {
          drained++;
          write();
        });
        return;
      }
      response.end();
    };
    write();
  });
  const socket = open();
  let bytes = 0;
  socket.on('data', (piece: Buffer) => void (bytes += piece.length));
  socket.write(ask('{}'));
  await waitUntil(() => bytes > 30_000_000, 'not all came');
  assert.ok(drained > 0);
});

test('an answer in pieces goes at the pace of its reader, each piece in its frame', async (t) => {
  const piece = Buffer.alloc(100_000, 'x');
  let written = 0;
  const { open } = await startWorld(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (): void => {
      while (written < 200) {
        written++;
        if (!response.write(written % 2 === 0 ? piece : Buffer.from('small'))) {
          response.socket?.once('drain', write);
          return;
        }
      }
      response.end(Buffer.from('last'));
    };
    write();
  });
  const socket = open();
  socket.write(ask('{}'));
  socket.pause();
  await wait(200);
  const stalled = written;
  assert.ok(stalled < 200, 'all was written to a client that does not read');
  await wait(100);
  assert.equal(written, stalled);
  const heard = listen(socket);
  socket.resume();
  await waitUntil(() => heard.text.endsWith('4\r\nlast\r\n0\r\n\r\n'), 'the end did not come');
  const [head = '', ...rest] = heard.text.split('\r\n\r\n');
  assert.match(head, /\r\ntransfer-encoding: chunked\r\n/);
  assert.ok(rest.join('\r\n\r\n').startsWith(`5\r\nsmall\r\n186a0\r\n${'x'.repeat(100_000)}\r\n5\r\n`));
  assert.equal(count(heard.text, '5\r\nsmall\r\n'), 100);
  assert.equal(count(heard.text, `186a0\r\n${'x'.repeat(100_000)}\r\n`), 100);
});

test('a header that would become two is refused', async (t) => {
  const refused: unknown[] = [];
  const { open } = await startWorld(t, (request, response) => {
    try {
      response.writeHead(200, { 'content-type': 'a\r\nset-cookie: b' });
    } catch (error) {
      refused.push(error);
    }
    echo(request, response);
  });
  const socket = open();
  const heard = listen(socket);
  socket.write(ask('"x"'));
  await waitUntil(() => heard.text.includes('"x"'), 'no answer');
  assert.equal(refused.length, 1);
  assert.doesNotMatch(heard.text, /set-cookie/);
});
