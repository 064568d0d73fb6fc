import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { classOfFailure } from '../upstream-error.ts';
import { AnswerParser } from './answer-parser.ts';

interface Reading {
  status?: number;
  headers?: Record<string, unknown>;
  body: string;
  /** How it stopped: at the end, for want of more, or with the class of a failure. */
  stop: string;
  isLast?: boolean;
  /** Bytes behind the end. */
  left: number;
}

/** What lies in the buffer behind a piece: an end of everything, for a parser that reads too far. */
const STALE = Buffer.from('\r\n\r\n0\r\n\r\n'.repeat(40));

/** Reads the pieces one after the other, each from the same buffer; `isClosed` is for a close behind them. */
function read(pieces: readonly Buffer[], isClosed = true): Reading {
  const parser = new AnswerParser();
  const reading: Reading = { body: '', stop: 'more', left: 0 };
  parser.begin();
  try {
    for (const [index, piece] of pieces.entries()) {
      const buffer = Buffer.concat([piece, STALE]);
      parser.at = 0;
      reading.stop = readPiece(parser, { buffer, end: piece.length }, reading);
      assert.ok(parser.at <= piece.length, 'read past the end');
      if (reading.stop !== 'end') continue;
      const behind = pieces.slice(index + 1).reduce((sum, { length }) => sum + length, 0);
      return { ...reading, left: piece.length - parser.at + behind };
    }
    if (!isClosed) return reading;
    const failure = parser.finish();
    return { ...reading, stop: failure === undefined ? 'end' : classOf(failure) };
  } catch (error) {
    return { ...reading, stop: classOf(error) };
  }
}

function readPiece(parser: AnswerParser, { buffer, end }: { buffer: Buffer; end: number }, reading: Reading): string {
  for (;;) {
    const step = parser.next(buffer, end);
    if (step === 'more' || step === 'end') return step;
    if (step === 'body') reading.body += buffer.toString('latin1', parser.bodyStart, parser.bodyEnd);
    else {
      const { status, headers, isLast } = parser.head ?? assert.fail('no head');
      Object.assign(reading, { status, headers: { ...headers }, isLast });
    }
  }
}

/** Only errors with a code are expected ones. */
function classOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  if (code === undefined || code === 'ERR_ASSERTION') throw error;
  return classOfFailure(code, name);
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const readText = (text: string, isClosed = true): Reading => read([bytes(text)], isClosed);
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKS = `${OK}transfer-encoding: chunked\r\n\r\n`;

const GOOD = {
  'with a length': `${OK}Content-Length: 11\r\nX-Two: a\r\nx-two:\t b c \r\n\r\nhello world`,
  'without a body': 'HTTP/1.1 204 No Content\r\nx: 1\r\n\r\n',
  'in chunks': `${CHUNKS}5\r\nhello\r\n00A\r\n0123456789\r\n0\r\n\r\n`,
  'in chunks with extensions and trailers': `${CHUNKS}5;a=b;c="d e"\r\nhello\r\n0;last\r\nx-sum: 1\r\ny: \xe9\r\n\r\n`,
  'behind interim ones': `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}content-length: 2\r\n\r\nok`,
  'until the end': 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nall of \r\n\r\n it',
  'of the old kind': 'HTTP/1.0 404\r\ncontent-length: 3\r\n\r\nabc',
  'with bytes behind it': `${OK}content-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n`,
  'in chunks, with bytes behind it': `${CHUNKS}2\r\nok\r\n0\r\n\r\nHTTP`,
};

describe('an answer', () => {
  test('is read as it was written', () => {
    assert.deepEqual(readText(GOOD['with a length']), {
      status: 200,
      headers: { 'content-length': '11', 'x-two': ['a', 'b c'] },
      body: 'hello world',
      stop: 'end',
      isLast: false,
      left: 0,
    });
    const bodies = Object.values(GOOD).map((text) => readText(text).body);
    const chunks = ['hello0123456789', 'hello'];
    assert.deepEqual(bodies, ['hello world', '', ...chunks, 'ok', 'all of \r\n\r\n it', 'abc', 'ok', 'ok']);
    assert.equal(readText(GOOD['behind interim ones']).status, 200);
    assert.equal(readText(GOOD['with bytes behind it']).left, 17);
    assert.equal(readText(GOOD['in chunks, with bytes behind it']).left, 4);
  });

  for (const [name, text] of Object.entries(GOOD)) {
    test(`${name} may be cut anywhere`, () => {
      const whole = bytes(text);
      const wanted = read([whole]);
      assert.equal(wanted.stop, 'end');
      for (let first = 0; first <= whole.length; first++) {
        assert.deepEqual(read([whole.subarray(0, first), whole.subarray(first)]), wanted, `cut at ${first}`);
        for (let second = first; second <= whole.length; second += 3) {
          const pieces = [whole.subarray(0, first), whole.subarray(first, second), whole.subarray(second)];
          assert.deepEqual(read(pieces), wanted, `cut at ${first} and ${second}`);
        }
      }
      const single = Array.from(whole, (byte) => Buffer.from([byte]));
      assert.deepEqual(read(single), wanted, 'byte by byte');
    });
  }

  test('has names that are safe to look up', () => {
    const { headers } = readText(`${OK}__proto__: a\r\n__proto__: b\r\nconstructor: c\r\ncontent-length: 0\r\n\r\n`);
    assert.deepEqual(Object.entries(headers ?? {}), [
      ['__proto__', ['a', 'b']],
      ['constructor', 'c'],
      ['content-length', '0'],
    ]);
    const parser = new AnswerParser();
    parser.begin();
    const buffer = bytes(`${OK}content-length: 0\r\n\r\n`);
    parser.next(buffer, buffer.length);
    assert.equal(parser.head?.headers['constructor'], undefined);
    assert.equal(parser.head?.headers['__proto__'], undefined);
  });

  test('that says so, that is of the old kind, or that ends with the connection is the last one on it', () => {
    const isLast = (head: string): boolean | undefined => readText(`${head}\r\n\r\n`, false).isLast;
    assert.equal(isLast(`${OK}content-length: 1`), false);
    assert.equal(isLast(`${OK}content-length: 1\r\nconnection: Keep-Alive`), false);
    assert.equal(isLast(`${OK}content-length: 1\r\nconnection: closed`), false);
    assert.equal(isLast(`${OK}content-length: 1\r\nconnection: x, Close`), true);
    assert.equal(isLast(`${OK}content-length: 1\r\nconnection: x\r\nconnection: close`), true);
    assert.equal(isLast('HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1'), true);
    assert.equal(isLast(`${OK}x: 1`), true);
    assert.equal(isLast('HTTP/1.1 204 No'), false);
    assert.equal(isLast('HTTP/1.1 304 No\r\ncontent-length: 0'), false);
    assert.equal(isLast('HTTP/1.1 304 No\r\ncontent-length: 5'), true);
    assert.equal(isLast('HTTP/1.1 204 No\r\ntransfer-encoding: chunked'), true);
  });
});

/** Each is malformed, whole or byte by byte. */
const MALFORMED: Record<string, string> = {
  'no HTTP': 'SSH-2.0-OpenSSH_9.6\r\n',
  'a request': 'GET / HTTP/1.1\r\n\r\n',
  'HTTP/2': 'HTTP/2.0 200 OK\r\n\r\n',
  'HTTP/1.2': 'HTTP/1.2 200 OK\r\n\r\n',
  'lower case': 'http/1.1 200 OK\r\n\r\n',
  'a line before it': '\r\nHTTP/1.1 200 OK\r\n\r\n',
  'no status': 'HTTP/1.1 OK\r\n\r\n',
  'a status of two digits': 'HTTP/1.1 20 OK\r\n\r\n',
  'a status of four digits': 'HTTP/1.1 2000 OK\r\n\r\n',
  'a status below 100': 'HTTP/1.1 099 OK\r\n\r\n',
  'two blanks': 'HTTP/1.1  200 OK\r\n\r\n',
  'a line feed alone in the status line': 'HTTP/1.1 200 OK\nx: 1\r\n\r\n',
  'line feeds alone': 'HTTP/1.1 200 OK\nx: 1\n\n',
  'a return alone': `${OK}x: 1\ry: 2\r\n\r\n`,
  'a return alone after the status': 'HTTP/1.1 200\rOK\r\n\r\n',
  'a NUL in a value': `${OK}x: a\0b\r\n\r\n`,
  'a control character in a name': `${OK}x\x01: a\r\n\r\n`,
  'DEL in a value': `${OK}x: a\x7f\r\n\r\n`,
  'no colon': `${OK}x\r\ny: 1\r\n\r\n`,
  'no colon in the last line': `${OK}x\r\n\r\n`,
  'no name': `${OK}: 1\r\n\r\n`,
  'a blank before the colon': `${OK}content-length : 1\r\n\r\nx`,
  'a blank in a name': `${OK}con tent: 1\r\n\r\n`,
  'a folded line': `${OK}x: 1\r\n content-length: 5\r\n\r\n`,
  'a folded line first': `${OK}\tx: 1\r\n\r\n`,
  'a name with an umlaut': `${OK}\xe9: 1\r\n\r\n`,
  'length and chunks': `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  'chunks and length': `${OK}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`,
  'two lengths': `${OK}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`,
  'two lengths in one': `${OK}content-length: 5, 5\r\n\r\nhello`,
  'an empty length': `${OK}content-length:\r\n\r\n`,
  'a negative length': `${OK}content-length: -1\r\n\r\n`,
  'a signed length': `${OK}content-length: +5\r\n\r\nhello`,
  'a hexadecimal length': `${OK}content-length: 0x5\r\n\r\nhello`,
  'a length with a point': `${OK}content-length: 5.0\r\n\r\nhello`,
  'a length beyond counting': `${OK}content-length: 9007199254740992\r\n\r\n`,
  'another coding': `${OK}transfer-encoding: gzip\r\n\r\n`,
  'two codings': `${OK}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  'chunks twice': `${OK}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  'an empty coding': `${OK}transfer-encoding:\r\n\r\n`,
  'nearly chunked': `${OK}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'a chunk without a size': `${CHUNKS}\r\nhello\r\n`,
  'a chunk with an extension only': `${CHUNKS};a\r\nhello\r\n`,
  'a size that is none': `${CHUNKS}xyz\r\n`,
  'a negative size': `${CHUNKS}-5\r\nhello\r\n`,
  'a size with 0x': `${CHUNKS}0x5\r\nhello\r\n`,
  'a blank before the size': `${CHUNKS} 5\r\nhello\r\n`,
  'a blank behind the size': `${CHUNKS}5 \r\nhello\r\n`,
  'a size beyond counting': `${CHUNKS}20000000000000\r\n`,
  'a line feed alone behind the size': `${CHUNKS}5\nhello\r\n0\r\n\r\n`,
  'a return alone behind the size': `${CHUNKS}5\rhello\r\n0\r\n\r\n`,
  'a line feed in an extension': `${CHUNKS}5;a\nb\r\nhello\r\n`,
  'an endless extension': `${CHUNKS}5;${'a'.repeat(2_000)}`,
  'an endless size': `${CHUNKS}${'0'.repeat(2_000)}`,
  'a chunk longer than its size': `${CHUNKS}5\r\nhello!\r\n0\r\n\r\n`,
  'a chunk ended by a line feed alone': `${CHUNKS}5\r\nhello\n0\r\n\r\n`,
  'trailers that are none': `${CHUNKS}0\r\nwhat is this\r\n\r\n`,
  'a folded trailer': `${CHUNKS}0\r\n x: 1\r\n\r\n`,
  'trailers with a line feed alone': `${CHUNKS}0\r\nx: 1\n\r\n\r\n`,
  'a return alone where trailers may be': `${CHUNKS}0\r\n\rx`,
  'endless headers': OK + 'x: 1\r\n'.repeat(4_000),
  'an endless header': `${OK}x: ${'a'.repeat(20_000)}`,
  'a head that is too long': `${OK}x: ${'a'.repeat(20_000)}\r\n\r\n`,
  'endless trailers': `${CHUNKS}0\r\n${'x: 1\r\n'.repeat(4_000)}`,
  'too many interim answers': 'HTTP/1.1 102 P\r\n\r\n'.repeat(200) + OK,
  'interim answers that are too long together': `HTTP/1.1 103 E\r\nx: ${'a'.repeat(1_000)}\r\n\r\n`.repeat(20),
};

describe('what is refused', () => {
  for (const [name, text] of Object.entries(MALFORMED)) {
    test(name, () => {
      assert.equal(readText(text, false).stop, 'malformed', 'whole');
      const single = Array.from(bytes(text), (byte) => Buffer.from([byte]));
      assert.equal(read(single, false).stop, 'malformed', 'byte by byte');
    });
  }

  test('a continue or another protocol that nobody asked for', () => {
    assert.equal(readText(`HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 0\r\n\r\n`).stop, 'unreachable');
    assert.equal(readText('HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n').stop, 'unreachable');
  });

  test('100 interim answers are still passed over (FT-14)', () => {
    const { status, stop } = readText('HTTP/1.1 102 P\r\n\r\n'.repeat(100) + GOOD['with a length']);
    assert.deepEqual([status, stop], [200, 'end']);
  });

  test('a head of exactly the most that is allowed is read, whole or in parts, and not one byte more', () => {
    const filler = 16_384 - `${OK}content-length: 0\r\nx: \r\n\r\n`.length;
    for (const [more, stop] of [
      [0, 'end'],
      [1, 'malformed'],
    ] as const) {
      const whole = bytes(`${OK}content-length: 0\r\nx: ${'a'.repeat(filler + more)}\r\n\r\n`);
      assert.equal(read([whole]).stop, stop);
      assert.equal(read([whole.subarray(0, 9), whole.subarray(9)]).stop, stop);
    }
  });
});

test('an answer that is cut off anywhere is never taken for a whole one', () => {
  for (const [name, text] of Object.entries(GOOD)) {
    if (name === 'until the end') continue;
    const whole = bytes(text);
    const needed = whole.length - read([whole]).left;
    for (let length = 0; length < needed; length++) {
      assert.match(read([whole.subarray(0, length)]).stop, /^(?:unreachable|malformed)$/u, `${name}, ${length} bytes`);
    }
  }
});

test('a cut answer that is the last on its connection is malformed, as it is to the client library', () => {
  assert.equal(readText(`${OK}connection: close\r\ncontent-length: 5\r\n\r\nabc`).stop, 'malformed');
  assert.equal(readText(`${CHUNKS.slice(0, -2)}connection: close\r\n\r\n5\r\nabc`).stop, 'malformed');
  assert.equal(readText(`${OK}content-length: 5\r\n\r\nabc`).stop, 'unreachable');
});

/** A small generator of numbers that are the same in every run. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('broken answers, cut anywhere, are read as if they were not cut, and fail only in the ways that are known', () => {
  const random = makeRandom(20_261_115);
  const seeds = [...Object.values(GOOD), ...Object.values(MALFORMED).filter(({ length }) => length < 200)];
  const odd = [0x00, 0x09, 0x0a, 0x0d, 0x20, 0x30, 0x3a, 0x3b, 0x7f, 0xff];
  const stops: Record<string, number> = {};
  for (let round = 0; round < 20_000; round++) {
    const broken = bytes(seeds[random(seeds.length)] ?? '');
    for (let change = random(4); change > 0; change--) {
      const at = random(broken.length);
      if (random(3) === 0) broken.copy(broken, at, random(broken.length));
      else broken[at] = odd[random(odd.length)] ?? 0;
    }
    const pieces: Buffer[] = [];
    for (let at = 0; at < broken.length;) {
      const length = 1 + random(random(2) === 0 ? 3 : 60);
      pieces.push(broken.subarray(at, at + length));
      at += length;
    }
    const cut = read(pieces);
    const whole = read([broken]);
    assert.deepEqual(cut.stop, whole.stop, JSON.stringify(broken.toString('latin1')));
    if (whole.stop === 'end') assert.deepEqual(cut, whole);
    stops[whole.stop] = (stops[whole.stop] ?? 0) + 1;
  }
  for (const stop of ['end', 'malformed', 'unreachable']) assert.ok((stops[stop] ?? 0) > 100, JSON.stringify(stops));
});
