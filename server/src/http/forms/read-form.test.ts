import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { readForm } from './read-form.ts';
import {
  bytesOf,
  collect,
  formLimits,
  leftovers,
  readBytes,
  refusalOf,
  SentRequest,
  sentIn,
  writtenForm,
} from './testing/sent-form.ts';

const TYPE = { 'content-type': 'multipart/form-data; boundary=b' };
const form = (...parts: { name: string; filename?: string; value: Buffer }[]): Buffer =>
  bytesOf({ boundary: 'b', preamble: '', epilogue: '\r\n', parts });
const field = (name: string, bytes: number): { name: string; value: Buffer } => ({
  name,
  value: Buffer.alloc(bytes, 'v'),
});
const file = (name: string, bytes: number) => ({ ...field(name, bytes), filename: 'f' });
const raw = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));
const PART = ['--b', 'Content-Disposition: form-data; name="a"', '', 'v'];

describe('the head decides before the first byte', () => {
  test('other types and encodings: 415', async () => {
    for (const type of ['', 'application/json', 'multipart/mixed; boundary=b', 'text/plain; multipart/form-data']) {
      const refusal = await refusalOf(readForm(new SentRequest({ 'content-type': type }).message, formLimits()));
      assert.equal(
        refusal,
        'unsupported_media_type: The content type is not supported here. Send multipart/form-data.',
      );
    }
    const encoded = new SentRequest({ ...TYPE, 'content-encoding': 'gzip' });
    assert.match(await refusalOf(readForm(encoded.message, formLimits())), /^unsupported_media_type: .*uncompressed/u);
  });

  test('a length beyond the limit: 413 with nothing read', async () => {
    const request = new SentRequest({ ...TYPE, 'content-length': '1001' });
    request.write('x');
    assert.match(await refusalOf(readForm(request.message, formLimits({ maxBytes: 1000 }))), /^body_too_large/u);
    assert.equal(request.readableLength, 1);
  });
});

describe('size limits pass at the limit and refuse one more', () => {
  test('of the body, though no length was given', async () => {
    const body = form(file('file', 3000));
    assert.equal(await refusalOf(readBytes(body, formLimits({ maxBytes: body.length }))), 'none');
    assert.match(await refusalOf(readBytes(body, formLimits({ maxBytes: body.length - 1 }))), /^body_too_large/u);
  });

  test('of a field, which is named; files are free of it', async () => {
    const limits = formLimits({ maxFieldBytes: 500, memoryBytes: 100 });
    assert.equal(await refusalOf(readBytes(form(field('prompt', 500), file('file', 501)), limits)), 'none');
    const refusal = 'invalid_request: The field "prompt" is larger than 500 bytes. (prompt)';
    assert.equal(await refusalOf(readBytes(form(field('prompt', 501)), limits)), refusal);
    const endless = new SentRequest(TYPE);
    endless.write(form(field('prompt', 600)).subarray(0, 590));
    assert.equal(await refusalOf(readForm(endless.message, limits)), refusal, 'before the field has ended');
    assert.deepEqual(await leftovers(limits.spoolFolder), []);
  });

  test('but images as text are free of the limit of a field, whatever their spelling, and lie in the spool', async () => {
    const limits = formLimits({ maxFieldBytes: 500, memoryBytes: 100, maxBytes: 20_000 });
    const names = ['image', 'images', 'image[]', 'image[12]', 'images[]', 'images[0]', 'mask', 'input_reference'];
    const sent = await readBytes(form(...names.map((name) => field(name, 2000)), field('prompt', 500)), limits);
    assert.deepEqual(
      sent.parts.map(({ name, valueStart, valueEnd }) => [name, valueEnd - valueStart]),
      [...names.map((name) => [name, 2000]), ['prompt', 500]],
    );
    if (process.platform === 'linux') assert.equal((await leftovers(limits.spoolFolder)).length, 1);
    await sent.discard();
    for (const name of ['image_url', 'image[x]', 'image[', 'masks', 'Image', 'my image'])
      assert.match(await refusalOf(readBytes(form(field(name, 501)), limits)), /larger than 500 bytes/u, name);
    assert.match(await refusalOf(readBytes(form(field('image', 20_000)), limits)), /^body_too_large/u);
  });

  test('of the number of parts', async () => {
    const parts = ['a', 'b', 'c', 'd'].map((name) => field(name, 1));
    assert.equal(await refusalOf(readBytes(form(...parts), formLimits({ maxParts: 4 }))), 'none');
    const refusal = 'invalid_request: The form has more than 3 parts, the first too many being "d". (d)';
    assert.equal(await refusalOf(readBytes(form(...parts), formLimits({ maxParts: 3 }))), refusal);
  });

  test('of the headers of a part', async () => {
    const headers = 'Content-Disposition: form-data; name="a"';
    const size = headers.length + 2; // with its line break
    const body = raw('--b', headers, '', 'v', '--b--');
    assert.equal(await refusalOf(readBytes(body, formLimits({ maxHeaderBytes: size }))), 'none');
    const refusal = await refusalOf(readBytes(body, formLimits({ maxHeaderBytes: size - 1 })));
    assert.equal(refusal, `invalid_request: The headers of a part of the form are larger than ${size - 1} bytes.`);
    const endless = Buffer.from(`--b\r\n${'x'.repeat(9000)}`);
    assert.match(await refusalOf(readBytes(endless, formLimits())), /larger than 8192 bytes/u);
  });
});

describe('what two readers could read differently is refused', () => {
  const cases: Record<string, Buffer> = {
    'an empty body': Buffer.alloc(0),
    'no boundary at all': raw('model=x'),
    'bare line feeds': Buffer.from(
      raw(...PART, '--b--')
        .toString()
        .replaceAll('\r', ''),
    ),
    'a bare line feed before a boundary': raw(...PART.slice(0, 3), 'v\n--b--'),
    'a bare line feed between headers': raw('--b', 'X: 1\nContent-Disposition: form-data; name="a"', '', 'v', '--b--'),
    'a boundary with more behind it': raw(...PART, '--bc', '--b--'),
    'a boundary with spaces behind it': raw('--b  ', ...PART.slice(1), '--b--'),
    'a boundary in place of the value': raw(...PART.slice(0, 3), '--b--'),
    'parts behind the last boundary': raw(...PART, '--b--', ...PART, '--b--'),
    'a part without headers': raw('--b', '', 'v', '--b--'),
    'a part without disposition': raw('--b', 'Content-Type: text/plain', '', 'v', '--b--'),
    'a part without name': raw('--b', 'Content-Disposition: form-data', '', 'v', '--b--'),
    'headers that never end': raw('--b', 'Content-Disposition: form-data; name="a"'),
  };
  for (const [name, body] of Object.entries(cases))
    test(name, async () => assert.match(await refusalOf(readBytes(body, formLimits())), /^invalid_request: /u));

  test('nothing but a last boundary is an empty form', async () => {
    const empty = await readBytes(raw('--b--'), formLimits());
    assert.deepEqual(empty.parts, []);
    const body = empty.rewrite({ set: { model: 'm' } });
    assert.deepEqual(await collect(body), writtenForm([{ name: 'model', value: Buffer.from('m') }], body));
  });

  test('a text that is no UTF-8, or that another alphabet than UTF-8 would change', async () => {
    const part = (type: string, value: Buffer, name = 'quality'): Buffer =>
      Buffer.concat([
        Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n${type}\r\n`),
        value,
        Buffer.from('\r\n--b--'),
      ]);
    const latin = 'Content-Type: text/plain; charset=ISO-8859-1\r\n';
    const umlaut = Buffer.from('ü');
    for (const memoryBytes of [0, 1_000_000]) {
      const limits = formLimits({ memoryBytes });
      const refusal = (...args: Parameters<typeof part>): Promise<string> =>
        refusalOf(readBytes(part(...args), limits));
      assert.match(await refusal('', Buffer.from('high\xff', 'latin1')), /"quality" is not valid UTF-8/u);
      assert.match(await refusal(latin, umlaut), /"quality" has other characters than ASCII/u);
      assert.match(await refusal(latin, umlaut, 'image'), /"image" has other characters than ASCII/u);
      assert.equal(await refusal(latin, Buffer.from('high')), 'none');
      assert.equal(await refusal('', umlaut), 'none');
      for (const shift of [0, 1, 2, 3]) {
        const long = Buffer.from('x'.repeat(shift) + '\u{1f600}'.repeat(100_000));
        assert.equal(await refusal('', long, 'image'), 'none', 'cut anywhere');
        assert.match(await refusal('', Buffer.concat([long, Buffer.from([0x80])]), 'image'), /not valid UTF-8/u);
      }
    }
    const headers = { 'content-type': 'multipart/form-data; charset=ISO-8859-1; boundary=b' };
    const sent = (type: string): Promise<string> => {
      const request = new SentRequest(headers);
      request.end(part(type, umlaut));
      return refusalOf(readForm(request.message, formLimits()));
    };
    assert.match(await sent(''), /"quality" has other characters than ASCII/u);
    assert.equal(await sent('Content-Type: text/plain; charset=utf-8\r\n'), 'none');
  });
});

test('a file that was not chosen in a browser is no part; its bytes would be', async () => {
  const body = (value: string): Buffer => form({ name: 'mask', filename: '', value: Buffer.from(value) });
  assert.deepEqual((await readBytes(body(''), formLimits())).parts, []);
  assert.equal((await readBytes(body('x'), formLimits())).parts[0]?.filename, '');
});

describe('nothing is left', () => {
  const limits = formLimits({ memoryBytes: 100, maxBytes: 10_000_000 });
  const large = form(field('model', 3), file('file', 1_000_000));

  test('after success, with a name in the folder at no time', async () => {
    const sent = await readBytes(large, limits);
    const [handle, ...others] = await leftovers(limits.spoolFolder);
    assert.deepEqual(others, []);
    if (process.platform === 'linux') assert.match(String(handle), /tollgate-form-\d+-\w+\.spool \(deleted\)$/u);
    await Promise.all([sent.discard(), sent.discard()]);
    await sent.discard();
    assert.deepEqual(await leftovers(limits.spoolFolder), []);
    await assert.rejects(sent.read(0, 1), /discarded/u);
  });

  test('after a refusal in the middle', async () => {
    assert.match(await refusalOf(readBytes(large.subarray(0, -9), limits)), /ends too early/u);
    assert.deepEqual(await leftovers(limits.spoolFolder), []);
  });

  test('after the client has left, at any moment', async () => {
    for (let queue = 0; queue < 12; queue++) {
      const request = new SentRequest(TYPE);
      const refusal = refusalOf(readForm(request.message, limits));
      for (let at = 0; at < 600_000; at += 60_000) request.write(large.subarray(at, at + 60_000));
      for (let waited = 0; waited < queue; waited++) await nextRound();
      request.destroy();
      assert.match(await refusal, /^client_gone/u);
      assert.deepEqual(await leftovers(limits.spoolFolder), []);
      assert.match(await refusalOf(readForm(request.message, limits)), /^client_gone/u, 'or had left before');
    }
  });

  test('when it is discarded while it is sent', async () => {
    const sent = await readBytes(large, limits);
    const pieces: number[] = [];
    const sending = (async () => {
      for await (const piece of sent.rewrite({}).open()) if (pieces.push(piece.length) === 3) void sent.discard();
    })();
    await assert.rejects(sending, /discarded/u);
    await sent.discard();
    assert.deepEqual(pieces.slice(1), [131_072, 131_072], 'behind the headers');
    assert.deepEqual(await leftovers(limits.spoolFolder), []);
  });

  test('a large form is sent from one piece of memory, and every byte of it is right', async () => {
    const sent = await readBytes(large, limits);
    const buffers = new Set<ArrayBufferLike>();
    const copies: Buffer[] = [];
    const body = sent.rewrite({});
    for await (const piece of body.open()) {
      if (piece.length === 131_072) buffers.add(piece.buffer);
      copies.push(Buffer.from(piece));
    }
    assert.equal(buffers.size, 1);
    assert.equal(copies[0]?.includes('mod'), true);
    assert.ok((copies[0]?.length ?? 0) < 1000, 'headers and small texts together');
    assert.ok(Buffer.concat(copies).equals(writtenForm([field('model', 3), file('file', 1_000_000)], body)));
    await sent.discard();
  });

  test('when the disk fails: 503', async () => {
    const broken = readForm(sentIn('b', large).message, { ...limits, spoolFolder: '/dev/null/x' });
    assert.match(await refusalOf(broken), /^overloaded/u);
  });
});
