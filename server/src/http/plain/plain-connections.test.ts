import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ask, count, echo, listen, startWorld } from '../../testing/plain-world.ts';
import { waitUntil } from '../../testing/wait-until.ts';

test('a plain request is answered without node:http, again and again on one connection', async (t) => {
  const { open, served } = await startWorld(t);
  const socket = open();
  const heard = listen(socket);
  for (let round = 1; round <= 3; round++) {
    socket.write(ask(`"round ${round}"`));
    await waitUntil(() => heard.text.endsWith(`"round ${round}"`), 'no answer');
  }
  assert.deepEqual(served, ['plain', 'plain', 'plain']);
  const [head = ''] = heard.text.split('\r\n\r\n');
  assert.match(
    head,
    /^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json\r\ncontent-length: 9\r\ndate: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\nconnection: keep-alive\r\nkeep-alive: timeout=72$/,
  );
});

test('wherever a request is cut in two, it gets the same answer, from here or from node:http', async (t) => {
  const { open, served } = await startWorld(t);
  const bytes = Buffer.from(ask('{"a":"é"}'));
  for (let cut = 1; cut < bytes.length; cut++) {
    const socket = open().setNoDelay(true);
    const heard = listen(socket);
    socket.write(bytes.subarray(0, cut));
    await wait(2);
    socket.write(bytes.subarray(cut));
    await waitUntil(() => heard.text.includes('{"a":"Ã©"}'), `cut at ${cut}: ${heard.text}`);
    socket.destroy();
  }
  assert.deepEqual([...new Set(served)].sort(), ['node', 'plain']);
});

test('requests that are sent ahead are answered in order, whichever path serves them', async (t) => {
  const { open, served } = await startWorld(
    t,
    (request, response) => void setTimeout(() => echo(request, response), 5),
  );
  const socket = open();
  const heard = listen(socket);
  socket.write(`${ask('"1"')}${ask('"2"')}${ask('"3"', '/other')}${ask('"4"')}`);
  await waitUntil(() => heard.text.includes('"4"'), 'not all were answered');
  assert.deepEqual(heard.text.match(/"\d"/g), ['"1"', '"2"', '"3"', '"4"']);
  assert.deepEqual(served, ['plain', 'plain', 'node', 'node']);
});

test('what is sent ahead is served when all work for the answer before it is over', async (t) => {
  let atWork = 0;
  const most: number[] = [];
  const { open } = await startWorld(t, (request, response) => {
    const work = async (): Promise<void> => {
      atWork++;
      most.push(atWork);
      await Promise.resolve();
      echo(request, response);
      for (let hop = 0; hop < 20; hop++) await Promise.resolve();
      atWork--;
    };
    void work();
  });
  const socket = open();
  const heard = listen(socket);
  socket.write(`${ask('"1"')}${ask('"2"')}${ask('"3"')}`);
  await waitUntil(() => heard.text.includes('"3"'), 'not all were answered');
  assert.deepEqual(most, [1, 1, 1]);
});

const others: [what: string, text: string, answer: string][] = [
  ['another path', ask('"x"', '/other'), '"x"'],
  [
    'a body in chunks',
    'POST /plain HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\n"y"\r\n0\r\n\r\n',
    '"y"',
  ],
  ['a body that is larger than those here', ask(`"${'z'.repeat(20_000)}"`), 'zzz"'],
  ['a request for a page', 'GET /plain HTTP/1.1\r\nhost: x\r\n\r\n', 'HTTP/1.1 200'],
  ['what is no request', 'Hello\r\n\r\n', 'HTTP/1.1 400'],
  ['two lengths', ask('"x"', '/plain', 'content-length: 5\r\n'), 'HTTP/1.1 400'],
  ['a length beside chunks', ask('"x"', '/plain', 'transfer-encoding: chunked\r\n'), 'HTTP/1.1 400'],
];

for (const [what, text, answer] of others) {
  test(`node:http has ${what}, at once and behind a plain request`, async (t) => {
    const { open, served } = await startWorld(t);
    const [first, later] = [open(), open()];
    const [heardFirst, heardLater] = [listen(first), listen(later)];
    first.write(text);
    await waitUntil(() => heardFirst.text.includes(answer), `not answered: ${heardFirst.text}`);
    later.write(ask('"plain"'));
    await waitUntil(() => heardLater.text.includes('"plain"'), 'no plain answer');
    later.write(text);
    await waitUntil(() => heardLater.text.includes(answer), `not answered: ${heardLater.text}`);
    assert.equal(count(served.join(' '), 'plain'), 1);
  });
}

test('a body that is late, and a connection that says nothing, are for node:http and its time limits', async (t) => {
  const { open, served, server } = await startWorld(t);
  const [late, silent] = [open(), open()];
  const heard = listen(late);
  const request = ask('"late"');
  late.write(request.slice(0, -3));
  const taken = new Promise<void>((resolve) => server.once('request', () => resolve()));
  await taken;
  late.write(request.slice(-3));
  await waitUntil(() => heard.text.includes('"late"'), 'no answer');
  assert.deepEqual(served, ['node']);
  const heardSilent = listen(silent);
  silent.write(ask('"now"')); // by now it is theirs
  await waitUntil(() => heardSilent.text.includes('"now"'), 'no answer');
  assert.deepEqual(served, ['node', 'node']);
});

test('a client that leaves is reported, one that has its answer is not lost', async (t) => {
  const closed: [finished: boolean, destroyed: boolean][] = [];
  const { open } = await startWorld(t, (request, response) => {
    response.once('close', () => closed.push([response.writableFinished, response.destroyed]));
    if (request.body.toString() === '"answer"') echo(request, response);
  });
  for (const leave of ['destroy', 'end'] as const) {
    const socket = open();
    socket.resume();
    socket.write(ask('"wait"'));
    await wait(20);
    socket[leave]();
  }
  await waitUntil(() => closed.length === 2, 'nothing was reported');
  assert.deepEqual(closed.splice(0), [
    [false, true],
    [false, true],
  ]);
  const socket = open();
  const heard = listen(socket);
  socket.write(ask('"answer"'));
  await waitUntil(() => heard.text.includes('"answer"'), 'no answer');
  socket.destroy();
  await wait(20);
  assert.deepEqual(closed, [[true, false]]);
});

test('half of a request is refused when its client says no more', async (t) => {
  const { open, server } = await startWorld(t);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => void socket.end(`refused: ${error.code}`));
  const socket = open();
  const heard = listen(socket);
  socket.end(ask('"half"').slice(0, -2));
  await waitUntil(() => heard.ended, 'it is open still');
  assert.equal(heard.text, 'refused: HPE_INVALID_EOF_STATE');
});

test('an answer that says so is the last on its connection, also where more is sent while it leaves', async (t) => {
  const { open, served } = await startWorld(t, ({ body }, response) => {
    response.setHeader('connection', 'close');
    response.writeHead(200, {});
    response.end(Buffer.concat([body, Buffer.alloc(20_000_000)])); // more than leaves at once
  });
  const socket = open();
  socket.pause();
  const heard = listen(socket);
  socket.pause();
  socket.write(`${ask('"1"')}${ask('"2"')}`);
  await waitUntil(() => served.length === 1, 'not served');
  await wait(50);
  socket.write(ask('"3"'));
  socket.resume();
  for (let round = 0; round < 20; round++) {
    await wait(5);
    socket.write(ask('"4"'));
  }
  await waitUntil(() => heard.ended, 'the connection is open');
  assert.deepEqual([served, heard.text.match(/"\d"/g)], [['plain'], ['"1"']]);
  assert.equal(count(heard.text, 'connection: close'), 1);
});

test('idle connections end after their time, and when the server is to close; others have their answers first', async (t) => {
  const { open } = await startWorld(t, echo, 1_500);
  const short = open();
  const heardShort = listen(short);
  short.write(ask('"1"'));
  await waitUntil(() => heardShort.text.includes('"1"'), 'no answer');
  await wait(500);
  assert.equal(heardShort.ended, false);
  await waitUntil(() => heardShort.ended, 'it is open still');

  const world = await startWorld(t, (request, response) => {
    if (request.body.toString() === '"quick"') echo(request, response);
    else setTimeout(() => echo(request, response), 300);
  });
  const [idle, busy, fresh] = [world.open(), world.open(), world.open()];
  const [heardIdle, heardBusy, heardFresh] = [listen(idle), listen(busy), listen(fresh)];
  await once(fresh, 'connect');
  idle.write(ask('"quick"'));
  busy.write(ask('"slow"'));
  await waitUntil(() => heardIdle.text.includes('"quick"') && world.served.length === 2, 'not served');
  const closed = once(world.server, 'close');
  world.server.close();
  world.server.closeIdleConnections();
  await waitUntil(() => heardIdle.ended, 'the idle one is open');
  await waitUntil(() => heardBusy.text.includes('"slow"'), 'the busy one was cut');
  fresh.write(ask('"quick"'));
  await waitUntil(() => heardFresh.text.includes('"quick"'), 'the one that had said nothing was cut');
  world.server.closeIdleConnections();
  await closed;
});

test('all connections are closed when that is asked for', async (t) => {
  const { open, server, served } = await startWorld(t, () => {});
  const socket = open();
  const heard = listen(socket);
  socket.write(ask('{}'));
  await waitUntil(() => served.length === 1, 'not served');
  server.closeAllConnections();
  await waitUntil(() => heard.ended, 'it is open still');
});

test('what a client sends ahead of its answer does not fill the memory', async (t) => {
  const { open, served } = await startWorld(t, () => {});
  const socket = open();
  socket.write(ask('{}'));
  await waitUntil(() => served.length === 1, 'not served');
  let taken = 0;
  for (let round = 0; round < 400; round++) if (socket.write(Buffer.alloc(100_000))) taken++;
  await wait(300);
  assert.ok(
    socket.writableLength > 10_000_000,
    `${taken} of 400 pieces were taken at once, ${socket.writableLength} wait`,
  );
});

test('a client that takes nothing of an answer loses its connection after a minute, a slow one does not', async (t) => {
  const { server, open } = await startWorld(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 40_000_000 });
    response.end(Buffer.alloc(40_000_000, 'x')); // one write, of which the stream tells nothing until it is done
  });
  const connections = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  const [lazy, slow] = [open(), open()];
  for (const socket of [lazy, slow]) socket.pause().write(ask('"1"'));
  await wait(2_500);
  const real = performance.now.bind(performance);
  let taken = 0;
  slow.on('data', (piece: Buffer) => {
    taken += piece.length;
    if (taken > 8_000_000) slow.pause();
  });
  slow.resume();
  t.mock.method(performance, 'now', () => real() + 55_000);
  await wait(2_000); // somebody has looked since
  assert.equal(await connections(), 2);
  t.mock.method(performance, 'now', () => real() + 62_000);
  await waitUntil(async () => (await connections()) === 1, 'it is kept');
  assert.equal(slow.destroyed, false);
  t.mock.method(performance, 'now', () => real() + 125_000);
  await waitUntil(async () => (await connections()) === 0, 'one that takes nothing any more is kept');
});

test('a server that closes does not wait for who says nothing, for half a head only its time (promise B-07)', async (t) => {
  const { open, served, server } = await startWorld(t);
  server.headersTimeout = 1_500;
  const silent = listen(open());
  const late = open();
  const heardLate = listen(late);
  const [half, halfLater] = [open(), open()];
  const halves = [listen(half), listen(halfLater)];
  half.write('POST /plain HT');
  halfLater.write(ask('"1"', '/other'));
  await waitUntil(() => halves[1]?.text.includes('"1"') === true, 'no answer');
  await wait(2_500); // by now all are node:http's
  halfLater.write('POST /plain HT');
  await wait(50);
  const closed = once(server, 'close');
  const stopping = setInterval(() => server.closeIdleConnections(), 50);
  t.after(() => clearInterval(stopping));
  late.write(ask('"arrived"')); // it is there, and nobody has read it
  const from = performance.now();
  server.close();
  await waitUntil(() => silent.ended, 'the silent one is open');
  assert.ok(performance.now() - from < server.headersTimeout);
  await waitUntil(() => heardLate.text.includes('"arrived"'), 'what had arrived was lost');
  assert.deepEqual(
    halves.map(({ ended }) => ended),
    [false, false],
  );
  await closed;
  const ms = performance.now() - from;
  assert.ok(ms >= server.headersTimeout && ms < 5_000, `closed after ${ms} ms`);
  assert.deepEqual(served, ['node', 'node']);
});

test('a request that has arrived when the server closes is answered, also where nobody has read it', async (t) => {
  const { open, server } = await startWorld(t);
  const [fresh, kept] = [open(), open()];
  const [heardFresh, heardKept] = [listen(fresh), listen(kept)];
  kept.write(ask('"1"'));
  await waitUntil(() => heardKept.text.includes('"1"'), 'no answer');
  for (const socket of [fresh, kept]) socket.write(ask('"2"'));
  server.close();
  await waitUntil(() => heardFresh.text.includes('"2"'), 'the new one was cut');
  await waitUntil(() => heardKept.text.includes('"2"'), 'the one that was served before was cut');
});
