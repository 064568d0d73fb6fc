import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../../../errors/gateway-error.ts';
import { assertGrowsLinearly } from '../../../testing/growth.ts';
import { type PartHeaders, readPartHeaders } from './part-headers.ts';

const read = (...lines: string[]): PartHeaders =>
  readPartHeaders(Buffer.from(lines.map((line) => `${line}\r\n`).join('')));
const disposition = (rest: string): PartHeaders => read(`Content-Disposition: form-data; ${rest}`);
const isRefusal = (error: unknown): boolean => error instanceof GatewayError && error.code === 'invalid_request';
const OCTETS = 'application/octet-stream';

describe('the headers of a part', () => {
  test('as browsers, curl and the vendors libraries write them', () => {
    const cases: [string, string, string | undefined][] = [
      ['name="model"', 'model', undefined],
      ['name=model', 'model', undefined],
      ['name=image[]', 'image[]', undefined],
      ['name="image[]"; filename="a b.png"', 'image[]', 'a b.png'],
      ['filename="x;name=y"; name="f"', 'f', 'x;name=y'],
      ['name="f"; filename="a%22b%0d%41"', 'f', 'a"b%0d%41'],
      [String.raw`name="f"; filename="a\"b\d"`, 'f', 'd'],
      [String.raw`name="f"; filename="a\"b"`, 'f', 'a"b'],
      [String.raw`name="f"; filename="C:\x\a.png"`, 'f', 'a.png'],
      ['name="f"; filename="../../a.png"', 'f', 'a.png'],
      [`name="f"; filename="?.wav"; filename*=UTF-8''%C3%BC%20.wav`, 'f', 'ü .wav'],
      [`name=f; filename=a.wav; filename*=utf-8''a.wav`, 'f', 'a.wav'],
      [`name="f"; filename*=utf-8''a%0d%0ab`, 'f', 'a__b'],
      [`name="f"; filename*=iso-8859-1'de'%FC.wav`, 'f', 'ü.wav'],
      ['name="größe"; filename=""', 'größe', ''],
      [`name="f"; filename="${'x'.repeat(300)}.png"`, 'f', `${'x'.repeat(196)}.png`],
    ];
    for (const [text, name, filename] of cases) {
      const contentType = filename === undefined ? undefined : OCTETS;
      assert.deepEqual(disposition(text), { name, filename, contentType, alphabet: undefined }, text);
    }
    assert.deepEqual(read('content-TYPE:\ttext/plain ', 'X-Other: 1', 'CONTENT-disposition:Form-Data;name=a'), {
      name: 'a',
      filename: undefined,
      contentType: undefined,
      alphabet: undefined,
    });
  });

  test('the type of a file is written in one way; that of a text only names its alphabet', () => {
    const typed = (type: string, rest = '; filename="f"'): PartHeaders =>
      read(`Content-Disposition: form-data; name="a"${rest}`, `Content-Type: ${type}`);
    for (const [type, written] of [
      ['', OCTETS],
      ['Image/PNG', 'image/png'],
      ['audio/webm;codecs=opus', 'audio/webm; codecs=opus'],
      ['audio/webm ;\tcodecs="a b"', 'audio/webm; codecs="a b"'],
    ] as const)
      assert.equal(typed(type).contentType, written, type);
    for (const [type, alphabet] of [
      ['', undefined],
      ['text/plain', undefined],
      ['text/plain; charset="UTF-8"', 'utf-8'],
      ['application/json;charset=utf8', 'utf-8'],
      ['text/plain; charset=ISO-8859-1', 'ascii'],
    ] as const)
      assert.deepEqual([typed(type, '').contentType, typed(type, '').alphabet], [undefined, alphabet], type);
    for (const type of ['png', 'image/png;', 'image/png; a', 'a/b; c=d; c=d', 'a/b; c*=d', 'a/b; c="d\\e"', 'a/b c'])
      assert.throws(() => typed(type), isRefusal, type);
    for (const type of ['multipart/mixed; boundary=c', 'message/http'])
      assert.throws(() => typed(type), isRefusal, type);
    for (const type of ['image/png', OCTETS, 'text/plain; charset=utf-16le', 'text/plain; charset=utf-7'])
      assert.throws(() => typed(type, ''), isRefusal, type);
  });

  test('malformed or ambiguous ones are refused, and the message says what is wrong', () => {
    for (const [rest, message] of [
      ['name="a"; name="b"', /parameter "name" more than once/u],
      ['name="a"; NAME="b"', /parameter "name" more than once/u],
      ['name="a"; filename="x"; filename="y"', /parameter "filename" more than once/u],
      [`name="a"; name*=utf-8''model`, /parameter "name\*", which is not supported/u],
      ['name*0="mo"; name*1="del"', /parameter "name\*0", which/u],
      [`name="a"; filename*0=x`, /parameter "filename\*0", which/u],
      [`name="a"; filename*=utf-16''x`, /malformed filename\*/u],
      [`name="a"; filename*=utf-8''%FF`, /malformed filename\*/u],
      [`name="a"; filename*=x`, /malformed filename\*/u],
      ['name="a', /malformed at "; name=\\"a"/u],
      ['name="a" x', /malformed at/u],
      ['name="a"b', /malformed at/u],
      ['name="a";', /malformed at ";"/u],
      ['name="a";; filename=b', /malformed at ";; filename=b"/u],
      ['name ="a"', /malformed at/u],
      ['name= "a"', /malformed at/u],
      ['name=a"b"', /malformed at/u],
      ['name=a,b', /malformed at/u],
      ['name=""', /has no name/u],
      ['filename="a"', /has no name/u],
      [String.raw`name="a\"`, /malformed at/u],
      [String.raw`name="mo\del"`, /has the character/u],
      ['name="mo%22del"', /has the character "%"/u],
      ['name="x; filename=y; z"', /has the character ";"/u],
      ['name=" model"', /has the character " "/u],
      ['name="__proto__"', /field name "__proto__" is not supported/u],
      ['name="__proto__[n]"', /is not supported/u],
      ['name="a[constructor][prototype]"', /is not supported/u],
      ['name="_charset_"', /_charset_ is not supported/u],
      ['name="a\0"', /malformed header line/u],
    ] as const)
      assert.throws(() => disposition(rest), { code: 'invalid_request', message }, rest);
    assert.throws(
      () => readPartHeaders(Buffer.from('Content-Disposition: form-data; name="\xff"\r\n', 'latin1')),
      /has the character/u,
    );
    const good = 'Content-Disposition: form-data; name="a"';
    for (const [lines, message] of [
      [[good, good], /header "Content-Disposition" more than once/u],
      [[good, 'Content-Type: a/b', 'content-type: a/b'], /header "content-type" more than once/u],
      [[good, ' folded'], /malformed header line " folded"/u],
      [['Content-Disposition: form-data;', ' name="a"'], /malformed header line/u],
      [[good, 'no colon'], /malformed header line "no colon"/u],
      [['Content-Disposition : form-data; name="a"'], /malformed header line/u],
      [[good, 'X: a\rb'], /malformed header line/u],
      [[good, 'Content-Transfer-Encoding: base64'], /Content-Transfer-Encoding "base64"/u],
      [[good, 'Content-Transfer-Encoding: quoted-printable'], /"quoted-printable"/u],
      [['Content-Disposition: attachment; name="a"'], /is not form-data/u],
      [['Content-Disposition: form-datax; name="a"'], /is not form-data/u],
    ] as const)
      assert.throws(() => read(...lines), { code: 'invalid_request', message }, lines.join('|'));
  });

  test('a header made to keep the reader busy takes no time', () => {
    for (const piece of ['\\', '\\\\"', ' ', '\t', ';a=b', '="', ';a="'])
      assertGrowsLinearly(500, (times) => {
        const header = `name="${piece.repeat(times)}\0`;
        return () => assert.throws(() => disposition(header), isRefusal);
      });
  });
});
