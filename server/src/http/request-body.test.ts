import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import type { Principal } from '../access/principal.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { nextRound } from '../shared/wait.ts';
import { BodyBudget } from './body-budget.ts';
import { type BodyDependencies, readJsonBody, RequestBody } from './request-body.ts';
import { PassThrough } from 'node:stream';
import { setImmediate as afterRound } from 'node:timers/promises';
import { lookAtOpenBodies } from './body-pace.ts';

const MIB = 1024 * 1024;

interface Arrived {
  body: RequestBody;
  response: ServerResponse;
}

/** A server that hands out each request's body and leaves the rest to the test. */
async function listen(
  t: TestContext,
  bodyBudget: BodyBudget,
  more: Pick<BodyDependencies, 'beforeLarge'> = {},
): Promise<{ address: string; next(): Promise<Arrived> }> {
  const spoolFolder = mkdtempSync(join(tmpdir(), 'tollgate-body-'));
  const arrived: Arrived[] = [];
  const waiting: ((one: Arrived) => void)[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const body = new RequestBody({ maxBodyBytes: 4 * MIB, bodyBudget, spoolFolder, ...more }, { request, response });
    const take = waiting.shift();
    if (take === undefined) arrived.push({ body, response });
    else take({ body, response });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
    assert.deepEqual(readdirSync(spoolFolder), []);
    rmSync(spoolFolder, { recursive: true });
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: () =>
      new Promise((resolve) => {
        const one = arrived.shift();
        if (one === undefined) waiting.push(resolve);
        else resolve(one);
      }),
  };
}

function send(
  address: string,
  bytes: number,
  { chunked = false, signal }: { chunked?: boolean; signal?: AbortSignal } = {},
) {
  const text = new Blob([JSON.stringify({ text: 'x'.repeat(bytes) })]);
  const answer = fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: chunked ? text.stream() : text,
    duplex: 'half',
    ...(signal !== undefined && { signal }),
  });
  answer.catch(() => {}); // some tests leave
  return answer;
}

const isSettled = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<false>((resolve) => setTimeout(() => resolve(false), 150))]);

for (const chunked of [false, true]) {
  test(`a large ${chunked ? 'chunked ' : ''}body waits until another has ended`, async (t) => {
    const { address, next } = await listen(t, new BodyBudget(5 * MIB));
    void send(address, 3 * MIB, { chunked });
    const first = await next();
    assert.ok((await first.body.readJson()).length > 3 * MIB);
    void send(address, 3 * MIB, { chunked });
    const second = await next();
    const reading = second.body.readJson();
    assert.equal(await isSettled(reading), false);
    void send(address, 1_000);
    const small = await next();
    assert.ok((await small.body.readJson()).length > 1_000);
    first.body.end();
    assert.ok((await reading).length > 3 * MIB);
    for (const { response, body } of [first, second, small]) {
      body.end();
      response.end();
    }
  });

  test(`a large ${chunked ? 'chunked ' : ''}body that has waited for half a minute is refused, and leaves the line`, async (t) => {
    const { address, next } = await listen(t, new BodyBudget(5 * MIB));
    void send(address, 3 * MIB);
    const first = await next();
    await first.body.readJson();
    void send(address, 3 * MIB, { chunked });
    const second = await next();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const reading = second.body.readJson();
    const failures: GatewayError[] = [];
    reading.catch((error: GatewayError) => failures.push(error));
    const { req } = second.response;
    if (chunked) while (!req.isPaused()) await nextRound(); // it has to become large first
    t.mock.timers.tick(29_999);
    await nextRound();
    assert.equal(failures.length, 0);
    t.mock.timers.tick(1);
    t.mock.timers.reset();
    await assert.rejects(reading, { code: 'overloaded', status: 503 });
    assert.equal(failures[0]?.details.retryAfter, 5);
    first.body.end();
    void send(address, 3 * MIB);
    const third = await next();
    assert.ok((await third.body.readJson()).length > 3 * MIB);
    for (const { response, body } of [first, second, third]) {
      body.end();
      response.end();
    }
  });
}

test('what a small request names waits for memory as a large body does, and is given back as soon as it is not needed (promise B-03)', async (t) => {
  const { address, next } = await listen(t, new BodyBudget(5 * MIB));
  void send(address, 1_000);
  const small = await next();
  await small.body.readJson();
  const release = await small.body.reserve(3 * MIB);
  void send(address, 3 * MIB);
  const large = await next();
  const reading = large.body.readJson();
  assert.equal(await isSettled(reading), false);
  release(1.5 * MIB);
  await reading;
  void send(address, 1_000);
  const third = await next();
  await third.body.readJson();
  const waiting = third.body.reserve(1.5 * MIB);
  assert.equal(await isSettled(waiting), false);
  small.body.end();
  await waiting;
  for (const { response, body } of [small, large, third]) {
    body.end();
    response.end();
  }
});

test('memory beside a large body, or beside what was reserved, is added to it, at once or not at all (promises B-03, B-08)', async (t) => {
  const { address, next } = await listen(t, new BodyBudget(8 * MIB));
  void send(address, 3 * MIB);
  const large = await next();
  await large.body.readJson();
  void send(address, 1_000);
  const small = await next();
  await small.body.readJson();
  await small.body.reserve(1.5 * MIB);
  await small.body.reserve(1.5 * MIB);
  // 6 MB are held, and who asks for more holds some of them.
  for (const { body } of [small, large])
    await assert.rejects(body.reserve(2.5 * MIB), ({ status, details }: GatewayError) => {
      assert.deepEqual([status, details.retryAfter], [503, 5]);
      return true;
    });
  await large.body.reserve(1.5 * MIB);
  void send(address, 3 * MIB);
  const third = await next();
  const reading = third.body.readJson();
  assert.equal(await isSettled(reading), false);
  large.body.end();
  await reading;
  for (const { response, body } of [small, large, third]) {
    body.end();
    response.end();
  }
});

test('money is asked for before a large body is read, not for what a request names (contract-2 7)', async (t) => {
  const asked: unknown[] = [];
  const beforeLarge = async (payer: unknown): Promise<void> => void asked.push(payer);
  const { address, next } = await listen(t, new BodyBudget(8 * MIB), { beforeLarge });
  const payer = { tokenId: 'tok' } as Principal;
  for (const bytes of [1_000, 2 * MIB]) {
    void send(address, bytes);
    const { body, response } = await next();
    body.payer = payer;
    await body.readJson();
    await body.reserve(2 * MIB);
    assert.deepEqual(asked, bytes > MIB ? [payer] : []);
    body.end();
    response.end();
  }
});

test('a client that left while it waited does not keep the next one waiting', async (t) => {
  const { address, next } = await listen(t, new BodyBudget(5 * MIB));
  void send(address, 3 * MIB);
  const first = await next();
  await first.body.readJson();
  const leaving = new AbortController();
  void send(address, 3 * MIB, { signal: leaving.signal });
  const second = await next();
  const left = second.body.readJson();
  leaving.abort();
  void send(address, 3 * MIB);
  const third = await next();
  const last = third.body.readJson();
  first.body.end();
  await left.catch(() => {}); // all of it may have been on the way before the client left
  second.body.end();
  assert.ok((await last).length > 3 * MIB);
  for (const { response } of [first, third]) response.end();
});

test('what is too large or no JSON is refused without waiting', async (t) => {
  const { address, next } = await listen(t, new BodyBudget(5 * MIB));
  void send(address, 3 * MIB);
  const first = await next();
  await first.body.readJson();
  void send(address, 5 * MIB);
  const large = await next();
  assert.throws(() => large.body.readJson(), { code: 'body_too_large' });
  void fetch(address, { method: 'POST', body: 'x'.repeat(3 * MIB), headers: { 'content-type': 'text/plain' } }).catch(
    () => {},
  );
  const text = await next();
  assert.throws(() => text.body.readJson(), { code: 'unsupported_media_type' });
  for (const { response } of [first, large, text]) response.end();
});

test('a form is given up when the request ends', async (t) => {
  const { address, next } = await listen(t, new BodyBudget(5 * MIB));
  const form = new FormData();
  form.append('file', new File(['x'.repeat(2 * MIB)], 'f'));
  void fetch(address, { method: 'POST', body: form });
  const { body, response } = await next();
  assert.equal(body.isJson, false);
  const read = await body.readForm();
  assert.equal((await read.read(0, 10)).length, 10);
  body.end();
  await assert.rejects(async () => read.read(0, 10));
  response.end();
});

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
    await afterRound();
    request.destroy();
    assert.equal(await code, 'client_gone');
  });
});

/** Lets seconds pass for all open bodies. */
async function pass(seconds: number): Promise<void> {
  await afterRound();
  for (let second = 0; second < seconds; second++) lookAtOpenBodies();
  await afterRound();
}

describe('slow bodies', () => {
  test('a body that stops coming is given up with 408', async () => {
    const request = new Request({ ...JSON_TYPE, 'content-length': '10' });
    const code = refusal(request);
    request.write('{');
    await pass(60);
    assert.equal(await Promise.race([code, afterRound('still waiting')]), 'request_timeout');
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
    assert.equal(await Promise.race([code, afterRound('still waiting')]), 'request_timeout');
  });
});
