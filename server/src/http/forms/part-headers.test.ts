import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../../errors/gateway-error.ts';
import { assertGrowsLinearly } from '../../testing/growth.ts';
import { boundaryOf } from './form-boundary.ts';
import { type PartHeaders, readPartHeaders } from './part-headers.ts';

const read = (...lines: string[]): PartHeaders =>
  readPartHeaders(Buffer.from(lines.map((line) => `${line}\r\n`).join('')));
const disposition = (rest: string): PartHeaders => read(`Content-Disposition: form-data; ${rest}`);
const isRefusal = (error: unknown): boolean => error instanceof GatewayError && error.code === 'invalid_request';

describe('the headers of a part', () => {
  test('as browsers, curl and the vendors libraries write them', () => {
    const cases: [string, string, string | undefined][] = [
      ['name="model"', 'model', undefined],
      ['name=model', 'model', undefined],
      ['name="image[]"; filename="a b.png"', 'image[]', 'a b.png'],
      ['filename="x;name=y"; name="f"', 'f', 'x;name=y'],
      ['name="a%22b%0d%0A%41"', 'a"b\r\n%41', undefined],
      [String.raw`name="f"; filename="a\"b\\c\d"`, 'f', String.raw`a"b\c\d`],
      [`name="f"; filename="?.wav"; filename*=UTF-8''%C3%BC%20.wav`, 'f', 'ü .wav'],
      [`name="f"; filename*=iso-8859-1'de'%FC.wav`, 'f', 'ü.wav'],
      ['name="größe"; filename=""', 'größe', ''],
    ];
    for (const [text, name, filename] of cases)
      assert.deepEqual(disposition(text), { name, filename, contentType: undefined }, text);
    assert.deepEqual(read('content-TYPE:\timage/png ', 'X-Other: 1', 'CONTENT-disposition:Form-Data;name=a'), {
      name: 'a',
      filename: undefined,
      contentType: 'image/png',
    });
  });

  test('malformed or ambiguous ones are refused', () => {
    for (const rest of [
      'name="a"; name="b"',
      `name="a"; name*=utf-8''model`,
      'name*0="mo"; name*1="del"',
      `name="a"; filename*=utf-16''x`,
      `name="a"; filename*=utf-8''%FF`,
      'name="a',
      'name="a" x',
      'name=""',
      'filename="a"',
      String.raw`name="a\"`,
      'name="a\0"',
    ])
      assert.throws(() => disposition(rest), isRefusal, rest);
    const good = 'Content-Disposition: form-data; name="a"';
    for (const lines of [
      [good, good],
      [good, ' folded'],
      [good, 'no colon'],
      [good, 'X: a\rb'],
      [good, 'Content-Transfer-Encoding: base64'],
      ['Content-Disposition: attachment; name="a"'],
      ['Content-Disposition: form-datax; name="a"'],
    ])
      assert.throws(() => read(...lines), isRefusal, lines.join('|'));
  });

  test('a header made to keep the reader busy takes no time', () => {
    for (const piece of ['\\', '\\\\"', ' ', '\t', ';a=b', '="', ';a="'])
      assertGrowsLinearly(500, (times) => {
        const header = `name="${piece.repeat(times)}\0`;
        return () => assert.throws(() => disposition(header), isRefusal);
      });
  });
});

describe('the boundary', () => {
  test('quoted or not, of 1 to 70 characters', () => {
    const long = 'x'.repeat(70);
    for (const [type, boundary] of [
      ['multipart/form-data; boundary=abc', 'abc'],
      ['Multipart/Form-Data;BOUNDARY="a b"', 'a b'],
      ['multipart/form-data ; charset=utf-8; boundary=a=b/c ', 'a=b/c'],
      [`multipart/form-data; x="; boundary=no"; boundary=${long}; y=z`, long],
    ] as const)
      assert.equal(boundaryOf(type), boundary);
  });

  test('missing, doubled, too long or with wrong characters: 400', () => {
    for (const rest of [
      '',
      '; boundary=',
      '; boundary="',
      `; boundary=${'x'.repeat(71)}`,
      '; boundary="a "',
      '; boundary=ä',
    ])
      assert.throws(() => boundaryOf(`multipart/form-data${rest}`), isRefusal, rest);
    assert.throws(() => boundaryOf('multipart/form-data; boundary=a; boundary=b'), isRefusal);
    assert.throws(() => boundaryOf(`multipart/form-data; boundary=${' '.repeat(16_000)}"`), isRefusal);
  });
});
