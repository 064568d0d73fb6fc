import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { HeadReader, readPlainHead } from './plain-head.ts';

const LINES = ['host: gate', 'content-type: application/json', 'content-length: 2'];

function headOf(lines: readonly string[], first = 'POST /v1/chat/completions HTTP/1.1'): string {
  return [first, ...lines, ''].join('\r\n');
}

test('a plain head is read as it stands: names in lower case, values without the blanks around them', () => {
  const lines = ['Host: gate:8080', 'Content-Type: Application/JSON; charset=utf-8', 'Content-Length: 17'];
  const more = ['Authorization:Bearer  sk-1 ', 'X-Empty:', 'x-tab: a\tb\t', 'Connection: Keep-Alive'];
  const head = readPlainHead(headOf([...lines, ...more], 'POST /v1/x?key=a%20b&c=[d] HTTP/1.1'));
  assert.deepEqual(head, {
    url: '/v1/x?key=a%20b&c=[d]',
    headers: {
      host: 'gate:8080',
      'content-type': 'Application/JSON; charset=utf-8',
      'content-length': '17',
      authorization: 'Bearer  sk-1',
      'x-empty': '',
      'x-tab': 'a\tb',
      connection: 'Keep-Alive',
    },
    bodyBytes: 17,
  });
});

const without = (name: string): string[] => LINES.filter((line) => !line.startsWith(name));
const notPlain: [why: string, head: string][] = [
  ['another method', headOf(LINES, 'PUT /v1/x HTTP/1.1')],
  ['a method in lower case', headOf(LINES, 'post /v1/x HTTP/1.1')],
  ['another version', headOf(LINES, 'POST /v1/x HTTP/1.0')],
  ['an address that is no path', headOf(LINES, 'POST http://gate/v1/x HTTP/1.1')],
  ['two blanks', headOf(LINES, 'POST  /v1/x HTTP/1.1')],
  ['a blank behind', headOf(LINES, 'POST /v1/x HTTP/1.1 ')],
  ['a path with a byte that is no ASCII', headOf(LINES, 'POST /v1/\xe9 HTTP/1.1')],
  ['a path with a mark that belongs to the client', headOf(LINES, 'POST /v1/x#y HTTP/1.1')],
  ['a line break before it', `\r\n${headOf(LINES)}`],
  ['no host', headOf(without('host'))],
  ['no length', headOf(without('content-length'))],
  ['no type', headOf(without('content-type'))],
  ['another type', headOf([...without('content-type'), 'content-type: application/jsonl'])],
  ['a form', headOf([...without('content-type'), 'content-type: multipart/form-data; boundary=x'])],
  ['two hosts', headOf([...LINES, 'Host: other'])],
  ['two lengths', headOf([...LINES, 'Content-Length: 2'])],
  ['any header twice', headOf([...LINES, 'x-a: 1', 'X-A: 2'])],
  ...['-1', '+2', '0x2', '2,2', '02', '2 2', '1e3', '', '99999999999'].map((length): [string, string] => [
    `the length ${length}`,
    headOf([...without('content-length'), `content-length: ${length}`]),
  ]),
  ...[
    'transfer-encoding: chunked',
    'expect: 100-continue',
    'upgrade: h2c',
    'content-encoding: gzip',
    'te: trailers',
  ].map((line): [string, string] => [line, headOf([...LINES, line])]),
  ['trailers', headOf([...LINES, 'trailer: x'])],
  ['a connection that closes', headOf([...LINES, 'connection: close'])],
  ['a connection that a proxy closes', headOf([...LINES, 'proxy-connection: close'])],
  ['a connection that becomes another', headOf([...LINES, 'connection: keep-alive, upgrade'])],
  ['a blank before the colon', headOf([...LINES, 'x-a : 1'])],
  ['a name that is none', headOf([...LINES, 'x(a): 1'])],
  ['no name', headOf([...LINES, ': 1'])],
  ['a line without a colon', headOf([...LINES, 'x-a'])],
  ['a folded line', headOf([...LINES, 'x-a: 1', ' 2'])],
  ['a bare line feed', headOf([...LINES, 'x-a: 1\nx-b: 2'])],
  ['a bare carriage return', headOf([...LINES, 'x-a: 1\rx-b: 2'])],
  ['a NUL', headOf([...LINES, 'x-a: 1\0'])],
  ['a byte that is no ASCII', headOf([...LINES, 'x-a: \xe9'])],
  ['the name of what all objects come from', headOf([...LINES, '__proto__: x'])],
  ['the name of something that every object has', headOf([...LINES, 'constructor: x'])],
  ['more headers than are sensible', headOf([...LINES, ...Array.from({ length: 64 }, (_, index) => `x-${index}: 1`)])],
  ['an end in the middle of a line', headOf(LINES).slice(0, -1)],
];

for (const [why, head] of notPlain) {
  test(`a head is not plain for ${why}`, () => assert.equal(readPlainHead(head), undefined));
}

test('a line of blanks takes no longer than one of letters (promise B-11)', () => {
  const time = (value: string): number => {
    const head = headOf([...LINES, `x:${value}\xe9`]);
    const started = performance.now();
    for (let round = 0; round < 20; round++) assert.equal(readPlainHead(head), undefined);
    return performance.now() - started;
  };
  time('a'.repeat(8_000));
  assert.ok(time(' '.repeat(8_000)) < 100, 'twenty heads of 8 KB take more than 100 ms');
});

test('a head that repeats the last one, with the same or another length, is not read again', () => {
  const heads = new HeadReader();
  const more = [...LINES, 'authorization: Bearer sk-1'];
  const first = heads.read(headOf(more));
  assert.ok(first);
  assert.equal(heads.read(headOf(more)), first);
  const longer = headOf(more.map((line) => line.replace('length: 2', 'length: 1234')));
  assert.deepEqual(heads.read(longer), readPlainHead(longer));
  assert.equal(heads.read(longer)?.headers.authorization, first.headers.authorization);
  heads.forget();
  assert.notEqual(heads.read(headOf(more)), first);
  assert.deepEqual(heads.read(headOf(more)), first);
});

test('behind any other head, one is read as if it were the first', () => {
  const lines = fc.constantFrom('content-length: 7', 'Content-Length:\t12 ', 'content-length: 012', 'content-length: ');
  const others = fc.constantFrom(
    'x-a: 1',
    'x-a: 12',
    'x-content-length: 7',
    'te: trailers',
    'authorization: Bearer sk-2',
  );
  const head = fc
    .tuple(lines, fc.subarray(['x-a: 1', 'authorization: Bearer sk-1']), fc.option(others), fc.nat(4))
    .map(([length, usual, other, at]) => {
      const all = [...without('content-length'), ...usual, ...(other === null ? [] : [other])];
      all.splice(at, 0, length);
      return headOf(all);
    });
  let repeated = 0;
  fc.assert(
    fc.property(fc.array(head, { minLength: 2, maxLength: 6 }), (texts) => {
      const heads = new HeadReader();
      for (const text of texts) {
        const read = heads.read(text);
        assert.deepEqual(read, readPlainHead(text));
        if (read !== undefined && heads.read(text) === read) repeated++;
      }
    }),
    { seed: 72, numRuns: 2_000 },
  );
  assert.ok(repeated > 500, `only ${repeated} heads were repeated`);
});

test('whatever is read here node:http reads in the same way', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;

  const piece = fc.oneof(
    fc.constantFrom(
      ...LINES,
      'x-a: 1',
      'Connection: keep-alive',
      'transfer-encoding: chunked',
      ' folded',
      'content-length: 3',
    ),
    fc.tuple(fc.string({ maxLength: 4 }), fc.string({ maxLength: 6 })).map(([name, value]) => `${name}:${value}`),
    fc
      .tuple(
        fc.constantFrom('x-b', 'X-C', '__proto__', 'te', 'proxy-connection'),
        fc.string({ unit: 'binary-ascii', maxLength: 4 }),
      )
      .map(([name, value]) => `${name}: ${value}`),
  );
  const heads = fc
    .tuple(
      fc.constantFrom('POST /v1/x HTTP/1.1', 'POST /v1/x?a=b HTTP/1.1', 'POST /%00 HTTP/1.1', 'POST * HTTP/1.1'),
      fc.shuffledSubarray(LINES, { minLength: 2 }),
      fc.array(piece, { maxLength: 4 }),
    )
    .map(([first, usual, more]) => headOf([...usual, ...more], first));
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(heads, async (head) => {
      const read = readPlainHead(Buffer.from(head, 'latin1').toString('latin1'));
      if (read === undefined) return;
      plain++;
      const socket = connect(port, '127.0.0.1');
      const seen = once(server, 'request');
      socket.write(Buffer.from(`${head}\r\n${'x'.repeat(read.bodyBytes)}`, 'latin1'));
      const [request] = (await seen) as [IncomingMessage];
      const { method, url, headers } = request;
      let bytes = 0;
      for await (const chunk of request) bytes += (chunk as Buffer).length;
      socket.destroy();
      assert.deepEqual([method, url, headers, bytes], ['POST', read.url, read.headers, read.bodyBytes]);
    }),
    { seed: 71, numRuns: 1_500 },
  );
  assert.ok(plain > 100, `only ${plain} heads were plain`);
});
