import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { JsonSyntaxError, scanJsonObject } from './json-fields.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parsesToObject(bytes: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function scans(bytes: Buffer): boolean {
  try {
    scanJsonObject(bytes);
    return true;
  } catch (error) {
    assert.ok(error instanceof JsonSyntaxError);
    assert.ok(error.position >= 0 && error.position <= bytes.length);
    return false;
  }
}

function assertSameVerdict(bytes: Buffer): void {
  assert.equal(scans(bytes), parsesToObject(bytes), JSON.stringify(bytes.toString('latin1')));
}

const refuses = (text: string | Buffer, message: string): void => {
  assert.throws(() => scanJsonObject(Buffer.from(text)), { name: 'JsonSyntaxError', message });
};

const jsonText = fc
  .tuple(
    fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })),
    fc.constantFrom(0, 1, '\t'),
  )
  .map(([value, indent]) => Buffer.from(JSON.stringify(value, null, indent)));

const spicyByte = fc.oneof(
  fc.constantFrom(...Buffer.from('{}[]",:\\/ubtnrf0123456789+-.eEtruefalsn \t\r\n\u0000\u001f\u007f')),
  fc.nat(255),
);

test('random JSON objects are accepted, at any place in memory', () => {
  fc.assert(
    fc.property(jsonText, fc.nat(7), (text, offset) => {
      const bytes = Buffer.concat([Buffer.alloc(offset, '"'), text, Buffer.alloc(9, '"')]);
      scanJsonObject(bytes.subarray(offset, offset + text.length));
    }),
  );
});

test('bytes changed, taken out or cut off are judged as JSON.parse judges them', () => {
  const edit = fc.record({ at: fc.nat(), byte: spicyByte, how: fc.constantFrom('replace', 'insert', 'remove', 'cut') });
  fc.assert(
    fc.property(jsonText, fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
      const list = [...text];
      for (const { at, byte, how } of edits) {
        const index = at % (list.length + 1);
        if (how === 'cut') list.length = index;
        else if (how === 'remove') list.splice(index, 1);
        else list.splice(index, how === 'replace' ? 1 : 0, byte);
      }
      assertSameVerdict(Buffer.from(list));
    }),
    { numRuns: 3000 },
  );
});

test('short runs of JSON characters are judged as JSON.parse judges them', () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '1',
    '-',
    '0',
    '.',
    'e',
    '+',
    'true',
    'nul',
    '\\',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
      assertSameVerdict(Buffer.from(tokens.join('')));
      assertSameVerdict(Buffer.from(`{"a":${tokens.join('')}}`));
      assertSameVerdict(Buffer.from(`{"a":"${tokens.join('')}"}`));
    }),
    { numRuns: 3000 },
  );
});

test('numbers, literals and escapes follow RFC 8259 to the letter', () => {
  const values = [
    '0',
    '-0',
    '01',
    '-',
    '+1',
    '.5',
    '1.',
    '1.5',
    '1e',
    '1e5',
    '1E+5',
    '1e-5',
    '1e+',
    '0x1',
    'NaN',
    '-a',
  ];
  values.push('true', 'tru', 'truee', 'True', 'null', 'nulL', 'false', 'fals', 'undefined', "'a'", '1 2', '1,', '[1,]');
  values.push('"\\u00e9"', '"\\ud800"', '"\\uD83D\\uDE00"', '"\\u00g0"', '"\\u00"', '"\\x"', '"\\', '"\t"', '"\u007f"');
  for (const value of values) assertSameVerdict(Buffer.from(`{"a":${value}}`));
});

test('a quote, backslash or control character is found at every offset of a long string', () => {
  for (let length = 0; length < 40; length++) {
    for (const special of ['', '\\"', '\\', '\u0000', '\u001f', ' ', '!', '#', '\\n', '€', '😀']) {
      for (const fill of ['a', '\u0080', '~', '\u00ff']) {
        const text = `{"a":"${fill.repeat(length)}${special}${fill.repeat(length % 9)}"}`;
        assertSameVerdict(Buffer.from(text));
        assertSameVerdict(Buffer.from(text, 'latin1'));
      }
    }
  }
});

test('what is wrong is said with its place', () => {
  refuses('', 'it is empty');
  refuses(' \n', 'it is empty');
  refuses('[1]', 'its type is array');
  refuses('"text"', 'its type is string');
  refuses('null', 'its type is null');
  refuses('not JSON', "unexpected character 'o' at byte 1");
  refuses('text=1', "unexpected character 'e' at byte 1");
  refuses('nul', 'unexpected end at byte 3');
  refuses('12 apples', "unexpected character 'a' at byte 3");
  refuses('[1, 2', 'unexpected end at byte 5');
  refuses('"text', 'unexpected end at byte 5');
  refuses('null x', "unexpected character 'x' at byte 5");
  refuses('model=x', "unexpected character 'm' at byte 0");
  refuses('{"model":"x","a":}', "unexpected character '}' at byte 17");
  refuses('{"a":1,}', "unexpected character '}' at byte 7");
  refuses('{"a":1} x', "unexpected character 'x' at byte 8");
  refuses('{"a":1', 'unexpected end at byte 6');
  refuses('{"a', 'unexpected end at byte 3');
  refuses('{"a":"\n"}', 'control character in a string at byte 6');
  refuses(Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), 'unexpected byte 0xef at byte 0');
  refuses(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'it is not valid UTF-8');
});

test('nesting is bounded, by 128 levels by default, whatever the size', () => {
  const nested = (levels: number): Buffer => Buffer.from(`{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
  scanJsonObject(nested(128));
  assert.throws(() => scanJsonObject(nested(129)), { message: 'nested deeper than 128 levels', position: 132 });
  scanJsonObject(nested(50_000), { maxDepth: 50_000 });
  assert.throws(() => scanJsonObject(nested(1_000_000)), { message: 'nested deeper than 128 levels' });
  assert.throws(() => scanJsonObject(Buffer.from('{"a":{"b":{}}}'), { maxDepth: 2 }), /deeper than 2 levels/u);
});

test('embedded media are counted and measured; prose, Chinese text and short strings are not', () => {
  const count = (value: unknown): unknown => scanJsonObject(Buffer.from(JSON.stringify({ a: [value] }))).opaque;
  const base64 = Buffer.alloc(3000, 'media').toString('base64');
  assert.deepEqual(count(base64), { count: 1, bytes: 4000 });
  assert.deepEqual(count({ url: `data:image/svg+xml,${'<b> '.repeat(500)}` }), { count: 1, bytes: 2019 });
  assert.deepEqual(count([base64, base64, 'x'.repeat(1025)]), { count: 3, bytes: 9025 });
  assert.deepEqual(count('x'.repeat(1024)), { count: 0, bytes: 0 });
  assert.deepEqual(count('some words '.repeat(500)), { count: 0, bytes: 0 });
  assert.deepEqual(count('你好，世界。'.repeat(500)), { count: 0, bytes: 0 });
  assert.deepEqual(count(`${'x'.repeat(1000)}\n${'x'.repeat(1000)}`), { count: 0, bytes: 0 });
  const escapedSlashes = Buffer.from(`{"a":"${'abc\\/'.repeat(300)}"}`);
  assert.deepEqual(scanJsonObject(escapedSlashes).opaque, { count: 1, bytes: 1500 });
});
