// What our lines make of a request and of an answer, beside what the client library makes of the same.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from '../../shared/runtime/undici.ts';
import { classOfFailure } from '../upstream-error.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { SmallRequest } from './request-head.ts';
import { GET, RecordedCall, serveRaw } from '../../testing/recorded-call.ts';

const limits = { connectMs: 5_000, keepAliveMs: 4_000 };

interface Client {
  dispatch(request: SmallRequest, handler: RecordedCall): unknown;
  destroy(): Promise<void>;
}
const CLIENTS: Record<'ours' | 'theirs', (origin: string) => Client> = {
  ours: (origin) => new ConnectionPool(origin, limits),
  theirs: (origin) => new Pool(origin, { allowH2: false, pipelining: 1 }),
};

describe('a request', () => {
  const REQUESTS: Record<string, SmallRequest> = {
    'to get': { ...GET, path: '/v1/models?x=%20&y=\xe9', headers: { Accept: '*/*', 'x-key': 'a b\t\xe9' } },
    'to post nothing': { ...GET, method: 'POST' },
    'to post an empty body': { ...GET, method: 'POST', body: Buffer.alloc(0) },
    'to post': {
      ...GET,
      method: 'POST',
      headers: { 'content-type': 'a/b' },
      body: Buffer.from('{"a":"\xe9"}', 'latin1'),
    },
    'to delete': { ...GET, method: 'DELETE' },
    'to delete with a body': { ...GET, method: 'DELETE', body: Buffer.from('x') },
    'to get with an empty body': { ...GET, body: Buffer.alloc(0) },
  };
  for (const [name, request] of Object.entries(REQUESTS)) {
    test(`${name} is the same on the wire`, async (t) => {
      const seen: string[] = [];
      const upstream = await serveRaw(t, (socket) => socket.write('HTTP/1.1 204 No\r\n\r\n'));
      for (const make of Object.values(CLIENTS)) {
        const client = make(upstream.origin);
        t.after(() => client.destroy());
        const call = new RecordedCall();
        client.dispatch(request, call);
        await call.outcome();
        await wait(20);
        const [head = '', ...body] = (upstream.received.at(-1) ?? '').split('\r\n\r\n');
        const [first, ...fields] = head.split('\r\n');
        seen.push(JSON.stringify([first, fields.sort(), body]));
      }
      assert.equal(seen[0], seen[1]);
      assert.equal(upstream.sockets.length, 2);
    });
  }

  test('that cannot be written is refused by both', async () => {
    const bad: Partial<SmallRequest>[] = [
      ...['a\r\nb', 'a\n', '\0', '\x7f', '\u0100'].map((value) => ({ headers: { x: value } })),
      ...['', 'a b', 'a:', '\xe9', 'transfer-encoding', 'upgrade'].map((name) => ({ headers: { [name]: 'x' } })),
      ...['', 'x', '/a b', '/\r\n', '/\u0100'].map((path) => ({ path })),
    ];
    for (const make of Object.values(CLIENTS)) {
      const client = make('http://127.0.0.1:1');
      for (const more of bad) {
        const call = new RecordedCall();
        const refuse = async (): Promise<void> => {
          client.dispatch({ ...GET, ...more }, call);
          await call.outcome();
          if (call.error !== undefined) throw call.error;
        };
        await assert.rejects(refuse, { code: 'UND_ERR_INVALID_ARG' }, JSON.stringify(more));
      }
      await client.destroy();
    }
  });
});

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKS = `${OK}transfer-encoding: chunked\r\n\r\n`;
const LAST = `${OK}connection: close\r\n`;

/** Answers, each followed by the end of the connection. */
const SAME = [
  `${OK}content-length: 5\r\nX-A: 1\r\nx-a: 2\r\nSet-Cookie: a\r\n\r\nhello`,
  `${OK}content-length:5\r\nx:\t a b\r\ny:\r\nz: \xe9\r\n\r\nhello`,
  `${OK}__proto__: a\r\nconstructor: b\r\ncontent-length: 0\r\n\r\n`,
  'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 200 \r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok',
  'HTTP/1.0 200 OK\r\n\r\nall of it',
  'HTTP/1.1 204 No\r\n\r\n',
  'HTTP/1.1 304 No\r\ncontent-length: 5\r\n\r\n',
  'HTTP/1.1 599 No\r\ncontent-length: 2\r\n\r\nno',
  `${CHUNKS}5\r\nhello\r\n0\r\n\r\n`,
  `${CHUNKS}005;a=b\r\nhello\r\n0\r\nx: y\r\n\r\n`,
  `${OK}Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  `${OK}\r\nall of it`,
  `${LAST}\r\nall of it`,
  `${LAST}content-length: 9\r\n\r\nabc`,
  `${LAST}transfer-encoding: chunked\r\n\r\n9\r\nabc`,
  `${OK}content-length: 9\r\n\r\nabc`,
  `${CHUNKS}9\r\nabc`,
  `${CHUNKS}3\r\nabc\r\n`,
  `HTTP/1.1 102 P\r\n\r\nHTTP/1.1 103 E\r\nlink: a\r\n\r\n${OK}content-length: 2\r\n\r\nok`,
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 101 S\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
  '',
  'HTTP/1.1 200 OK\r\nx: 1',
  'SSH-2.0-OpenSSH_9.6\r\n',
  'HTTP/1.1 20 OK\r\n\r\n',
  'HTTP/1.1 2000 OK\r\n\r\n',
  `${OK}x: 1\r\n y: 2\r\ncontent-length: 0\r\n\r\n`,
  `${OK}x y: 1\r\n\r\n`,
  `${OK}x : 1\r\n\r\n`,
  `${OK}: 1\r\n\r\n`,
  `${OK}x: a\0b\r\n\r\n`,
  `${OK}x: 1\ny: 2\r\n\r\n`,
  `${OK}x: 1\ry: 2\r\n\r\n`,
  `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${OK}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`,
  `${OK}content-length: 5, 5\r\n\r\nhello`,
  `${OK}content-length: +5\r\n\r\nhello`,
  `${CHUNKS}xyz\r\n`,
  `${CHUNKS}5 \r\nhello\r\n0\r\n\r\n`,
  `${CHUNKS}5\nhello\r\n0\r\n\r\n`,
  `${CHUNKS}5\r\nhello!\r\n0\r\n\r\n`,
  `${CHUNKS}5\r\nhello\n0\r\n\r\n`,
  `${OK}x: ${'a'.repeat(20_000)}\r\n\r\n`,
];

/** Answers that the library takes and we do not. */
const REFUSED_BY_US = [
  'HTTP/2.0 200 OK\r\n\r\n',
  '\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  `${OK}transfer-encoding: gzip\r\n\r\nabc`,
  `${OK}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  `${'HTTP/1.1 102 P\r\n\r\n'.repeat(200)}${OK}content-length: 0\r\n\r\n`,
];

async function outcomeOf(client: Client): Promise<string> {
  const call = new RecordedCall();
  client.dispatch(GET, call);
  await call.outcome();
  const { code, name } = (call.error ?? {}) as NodeJS.ErrnoException;
  const end = call.error === undefined ? 'end' : classOfFailure(code, name);
  const status = call.reported.findLast((word) => typeof word === 'number' && word >= 200);
  return JSON.stringify({ status, headers: status === undefined ? {} : { ...call.headers }, body: call.text, end });
}

async function outcomesOf(t: TestContext, answer: string): Promise<{ ours: string; theirs: string }> {
  const { origin } = await serveRaw(t, (socket) => socket.end(answer, 'latin1'));
  const clients = { ours: CLIENTS.ours(origin), theirs: CLIENTS.theirs(origin) };
  t.after(() => Promise.all([clients.ours.destroy(), clients.theirs.destroy()]));
  return { ours: await outcomeOf(clients.ours), theirs: await outcomeOf(clients.theirs) };
}

describe('an answer', () => {
  for (const answer of SAME) {
    test(`is the same to both: ${JSON.stringify(answer.slice(0, 90))}`, async (t) => {
      const { ours, theirs } = await outcomesOf(t, answer);
      assert.equal(ours, theirs);
    });
  }

  for (const answer of REFUSED_BY_US) {
    test(`is refused by us only: ${JSON.stringify(answer.slice(0, 90))}`, async (t) => {
      const { ours, theirs } = await outcomesOf(t, answer);
      assert.match(ours, /"end":"malformed"/u);
      assert.match(theirs, /"end":"end"/u);
    });
  }
});
