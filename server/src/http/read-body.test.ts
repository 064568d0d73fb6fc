import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { GatewayError } from '../errors/gateway-error.ts';
import { lookAtOpenBodies } from './body-pace.ts';
import { readJsonBody } from './read-body.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const LIMIT = 1024 * 1024;

class Request extends PassThrough {
  readonly headers: IncomingHttpHeaders;
  constructor(headers: IncomingHttpHeaders) {
    super();
    this.headers = headers;
  }
}

const read = (request: Request): Promise<Buffer> => readJsonBody(request as unknown as IncomingMessage, LIMIT);

/** The code of the refusal, whether it is thrown at once or later. */
async function refusal(request: Request): Promise<string> {
  try {
    await read(request);
    return 'none';
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    return error.code;
  }
}

describe('the head decides before the first byte', () => {
  test('JSON types pass, with parameters and in any letters', async () => {
    for (const type of [
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/vnd.api+json',
      ' application/json ;x',
    ]) {
      const request = new Request({ 'content-type': type, 'content-encoding': 'identity' });
      request.end('{}');
      assert.equal((await read(request)).toString(), '{}');
    }
  });

  test('other types and encodings: 415', async () => {
    for (const type of [
      undefined,
      '',
      'text/plain',
      'multipart/form-data; boundary=x',
      'text/json',
      'jsonapplication/json',
    ])
      assert.equal(
        await refusal(new Request(type === undefined ? {} : { 'content-type': type })),
        'unsupported_media_type',
      );
    const encoded = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    assert.equal(await refusal(new Request(encoded)), 'unsupported_media_type');
  });

  test('a length beyond the limit: 413 with nothing read', async () => {
    const request = new Request({ ...JSON_TYPE, 'content-length': String(LIMIT + 1) });
    request.write('x');
    assert.equal(await refusal(request), 'body_too_large');
    assert.equal(request.readableLength, 1);
  });
});

describe('while the body comes', () => {
  test('pieces become one buffer; no piece is an empty one', async () => {
    const request = new Request(JSON_TYPE);
    const body = read(request);
    for (const piece of ['{"a"', ':', '"é"}']) request.write(piece);
    request.end();
    assert.equal((await body).toString(), '{"a":"é"}');
    const empty = new Request({ ...JSON_TYPE, 'content-length': '0' });
    empty.end();
    assert.equal((await read(empty)).length, 0);
  });

  test('exactly the limit passes, one byte more is 413 though no length was given', async () => {
    const full = new Request(JSON_TYPE);
    full.end(Buffer.alloc(LIMIT));
    assert.equal((await read(full)).length, LIMIT);
    const more = new Request(JSON_TYPE);
    const code = refusal(more);
    more.write(Buffer.alloc(LIMIT));
    more.write('x');
    assert.equal(await code, 'body_too_large');
  });

  test('a client that leaves in the middle is distinguished from one that is done', async () => {
    const request = new Request(JSON_TYPE);
    const code = refusal(request);
    request.write('{');
    await nextRound();
    request.destroy();
    assert.equal(await code, 'client_gone');
  });
});

/** Lets seconds pass for all open bodies. */
async function pass(seconds: number): Promise<void> {
  await nextRound();
  for (let second = 0; second < seconds; second++) lookAtOpenBodies();
  await nextRound();
}

describe('slow bodies', () => {
  test('a body that stops coming is given up with 408', async () => {
    const request = new Request({ ...JSON_TYPE, 'content-length': '10' });
    const code = refusal(request);
    request.write('{');
    await pass(60);
    assert.equal(await Promise.race([code, nextRound('still waiting')]), 'request_timeout');
  });

  test('a large body that comes steadily has time', async () => {
    const request = new Request(JSON_TYPE);
    const body = read(request);
    for (let index = 0; index < 10; index++) {
      request.write(Buffer.alloc(64 * 1024, 'x'));
      await pass(5);
    }
    request.end();
    assert.equal((await body).length, 640 * 1024);
  });

  test('a body that only trickles is given up too (B-07: by 60 s, or below a minimum rate)', async () => {
    const request = new Request(JSON_TYPE);
    const code = refusal(request);
    for (let index = 0; index < 20; index++) {
      request.write('x');
      await pass(10);
    }
    assert.equal(await Promise.race([code, nextRound('still waiting')]), 'request_timeout');
  });
});
