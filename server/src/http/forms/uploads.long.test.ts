import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as sendRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { FormBody } from '../../neutral/form.ts';
import { readForm } from './read-form.ts';
import { formLimits, leftovers } from './testing/sent-form.ts';

const UPLOADS = 20;
const PIECE = Buffer.alloc(64 * 1024, 'abcdefghijklmnopqrstuvwxyz012345');
const PIECES = 480; // 30 MB
const HEAD =
  '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nmine\r\n' +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n';
const TAIL = '\r\n--b--\r\n';
const limits = formLimits({ maxBytes: 64 * 1024 * 1024 });

function* upload(head = HEAD): Generator<Buffer> {
  yield Buffer.from(head);
  for (let index = 0; index < PIECES; index++) yield PIECE;
  yield Buffer.from(TAIL);
}

/** The boundary is another one each time; it stands in small pieces only. */
async function* withoutBoundary({ contentType, open }: FormBody): AsyncGenerator<Buffer | string> {
  const [, boundary = ''] = contentType.split('boundary=');
  for await (const piece of open())
    yield piece.length > 1000 ? piece : piece.toString('latin1').replaceAll(boundary, 'b');
}

/** Sends each form twice to nowhere, as a failover would, and answers with the digests. */
async function sendTwice(message: IncomingMessage): Promise<string> {
  const form = await readForm(message, limits);
  try {
    const body = form.rewrite({ set: { model: 'theirs' } });
    const digests: string[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      const hash = createHash('sha256');
      for await (const piece of withoutBoundary(body)) hash.update(piece);
      digests.push(hash.digest('hex'));
    }
    return digests.join(' ');
  } finally {
    await form.discard();
  }
}

describe('large uploads over HTTP', () => {
  const codes: string[] = [];
  let server: Server;
  let port: number;
  before(async () => {
    server = createServer((message, response) => {
      sendTwice(message).then(
        (digests) => response.end(digests),
        (error: unknown) => {
          codes.push(error instanceof GatewayError ? error.code : String(error));
          response.end();
        },
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(() => server.close());

  const open = () =>
    sendRequest({ port, method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' }, agent: false });

  async function send(): Promise<string> {
    const request = open();
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    await pipeline(Readable.from(upload(), { highWaterMark: 1 }), request);
    const [response] = await answered;
    return Buffer.concat(await Array.fromAsync<Buffer>(response)).toString();
  }

  test(`${UPLOADS} of 30 MB at once need little memory, and come out whole`, async (t) => {
    await send();
    const hash = createHash('sha256');
    for (const piece of upload(HEAD.replace('mine', 'theirs'))) hash.update(piece);
    const digest = hash.digest('hex');
    const atFirst = process.memoryUsage.rss();
    let most = atFirst;
    const sampler = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10);
    const answers = await Promise.all(Array.from({ length: UPLOADS }, send));
    clearInterval(sampler);
    for (const answer of answers) assert.equal(answer, `${digest} ${digest}`);
    const grown = Math.round((most - atFirst) / 1024 / 1024);
    t.diagnostic(`memory grew by ${grown} MB, client included`);
    assert.ok(grown < 150, `grew by ${grown} MB`);
    assert.deepEqual(await leftovers(limits.spoolFolder), []);
  });

  test('a client that leaves in the middle leaves nothing', { skip: process.platform !== 'linux' }, async () => {
    const request = open();
    request.on('error', () => {});
    request.write(HEAD);
    for (let index = 0; index < 40; index++) request.write(PIECE);
    while ((await leftovers(limits.spoolFolder)).length === 0) await wait(5);
    request.destroy();
    while (codes.length === 0) await wait(5);
    assert.deepEqual(codes, ['client_gone']);
    assert.deepEqual(await leftovers(limits.spoolFolder), []);
  });
});
