import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Refusal } from '../../refusal.ts';
import { writeForm } from '../../test-client.ts';
import { type Form, readFields, summariseForm } from './form.ts';
import { createFormParser } from './form-parser.ts';
import { readBoundary } from './part-header.ts';

function parse(raw: Buffer | string, pieceLength = Infinity, boundary = 'xYzBoundary'): Form {
  const parser = createFormParser(boundary);
  const bytes = Buffer.from(raw);
  for (let at = 0; at < bytes.length; at += pieceLength) parser.push(bytes.subarray(at, at + pieceLength));
  return parser.finish();
}

const tricky = Buffer.from('\r\n--xYzBoundar\r\n--xYzBoundarX\r\n\r\n--\0é');

test('a form cut anywhere reads the same, and a file is known by length, hash and beginning', () => {
  const { raw } = writeForm([
    { name: 'model', value: 'sandbox-x' },
    { name: 'empty', value: '' },
    { name: 'file', value: tricky, filename: 'a "b".bin'.replaceAll('"', '%22') },
    { name: 'tag[]', value: 'one' },
  ]);
  const whole = parse(raw);
  for (let length = 1; length < 60; length += 1) assert.deepEqual(parse(raw, length), whole);
  assert.deepEqual(readFields(whole), { model: 'sandbox-x', empty: '', 'tag[]': ['one'] });
  const sha256 = createHash('sha256').update(tricky).digest('hex');
  assert.partialDeepStrictEqual(whole.files[0], { field: 'file', filename: 'a "b".bin', bytes: tricky.length, sha256 });
  assert.deepEqual(whole.files[0]?.head, tricky);
  const [summary] = summariseForm(whole)['files'] as object[];
  assert.deepEqual(Object.keys(summary ?? {}), ['field', 'filename', 'contentType', 'bytes', 'sha256']);
});

test('of a large file only the beginning is kept', () => {
  const value = randomBytes(3_000_000);
  const [file] = parse(writeForm([{ name: 'file', value, filename: 'x' }]).raw, 65_537).files;
  assert.equal(file?.bytes, value.length);
  assert.equal(file?.head.length, 64 * 1024);
  assert.equal(file?.sha256, createHash('sha256').update(value).digest('hex'));
});

test('a field that comes twice is a list; a preamble and an epilogue are passed over', () => {
  const { raw } = writeForm([
    { name: 'a', value: '1' },
    { name: 'a', value: '2' },
  ]);
  assert.deepEqual(readFields(parse(raw)), { a: ['1', '2'] });
  assert.deepEqual(readFields(parse(`preamble\r\n${raw.toString()}epilogue`, 5)), { a: ['1', '2'] });
  assert.deepEqual(parse('--xYzBoundary--'), { fields: [], files: [] });
});

test('a picture may come as text, larger than other fields', () => {
  const value = 'x'.repeat(1_100_000);
  for (const name of ['image', 'images', 'image[]', 'image[3]', 'mask'])
    assert.deepEqual(parse(writeForm([{ name, value }]).raw).fields, [{ name, value }]);
});

const part = (header: string): string => `--xYzBoundary\r\n${header}\r\n\r\nx\r\n--xYzBoundary--\r\n`;
const wrong: [string, string][] = [
  ['nothing at all', ''],
  ['no closing delimiter', part('Content-Disposition: form-data; name="a"').replace('--\r\n', '')],
  ['no disposition', part('Content-Type: text/plain')],
  ['no name', part('Content-Disposition: form-data; filename="x"')],
  ['another disposition', part('Content-Disposition: attachment; name="a"')],
  ['a broken header', part('Content-Disposition')],
  ['an encoded part', part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64')],
  ['a header without end', `--xYzBoundary\r\n${'X: y\r\n'.repeat(5000)}`],
  ['a delimiter with a tail', '--xYzBoundaryTail\r\n'],
  ['a field beyond 1 MiB', writeForm([{ name: 'a', value: 'x'.repeat(1_100_000) }]).raw.toString()],
  ['too many parts', writeForm(Array.from({ length: 300 }, () => ({ name: 'a', value: '' }))).raw.toString()],
];
for (const [what, raw] of wrong) test(`refuses ${what}`, () => assert.throws(() => parse(raw, 1000), Refusal));

test('the boundary is read from the content type', () => {
  assert.equal(readBoundary('multipart/form-data; boundary="a b"; charset=utf-8'), 'a b');
  assert.equal(readBoundary('multipart/form-data;boundary=abc'), 'abc');
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', `x; boundary=${'a'.repeat(71)}`]) {
    assert.throws(() => readBoundary(type), Refusal);
  }
});
