// Heads that two readers could read differently, methods that no route has, and words behind the last request of a
// connection (promise O-05). Each is sent as a small JSON request, which is read from the socket itself, and in ways
// that only node:http reads.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatBody } from '../support/chat.ts';
import { OPERATOR_KEY } from '../support/gateway.ts';
import { balanceOf } from '../support/money.ts';
import { sendRaw, statuses } from '../support/socket.ts';
import { makeWorld, suiteGateway, type World } from '../support/world.ts';

describe('bad heads', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();
  const { host } = new URL(gateway.address);

  const post = (world: World, lines: readonly string[], version = 'HTTP/1.1'): string => {
    const body = JSON.stringify(chatBody(world.model, 'x'));
    const all = ['Content-Type: application/json', `Content-Length: ${body.length}`, ...lines];
    return `POST /v1/chat/completions ${version}\r\n${all.join('\r\n')}\r\n\r\n${body}`;
  };

  const refused = async (bytes: string): Promise<void> => {
    const answer = await sendRaw(gateway.address, bytes);
    assert.deepEqual(statuses(answer), [400], `${bytes.slice(0, 300)} -> ${answer.slice(0, 300)}`);
    assert.match(answer, /^connection: close$/im, answer);
    assert.match(answer, /^x-request-id: req_/im, answer);
    assert.match(answer, /"code":"invalid_request"/, answer);
  };

  test('two Authorization headers are 400 on every path: nobody guesses which one counts', async (t) => {
    const world = await makeWorld(gateway, t);
    const own = `Authorization: Bearer ${world.key}`;
    for (const second of [own, 'Authorization: Bearer sk-other', 'authorization: Basic eDp5'])
      for (const lines of [
        [`Host: ${host}`, own, second],
        [`Host: ${host}`, second, own],
      ])
        await refused(post(world, lines));
    await refused(`GET /v1/models HTTP/1.1\r\nHost: ${host}\r\n${own}\r\n${own}\r\n\r\n`);
    await refused(
      `GET /operator/v1/tokens HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${OPERATOR_KEY}\r\n${own}\r\n\r\n`,
    );
    await refused(`GET /nothing HTTP/1.1\r\nHost: x\r\n${own}\r\n${own}\r\n\r\n`);
    assert.equal(world.calls().length, 0);
  });

  test('two Host headers, none, or one that is no host are 400 (RFC 9112, 3.2)', async (t) => {
    const world = await makeWorld(gateway, t);
    const own = `Authorization: Bearer ${world.key}`;
    await refused(post(world, [`Host: ${host}`, `Host: ${host}`, own]));
    await refused(post(world, [`Host: ${host}`, 'Host: other.example', own]));
    for (const wrong of [
      '',
      'a b',
      'a,b',
      'a/b',
      'user@host',
      'host:port',
      'host:123456',
      'a?b',
      'a#b',
      '[::1',
      'h\u00f6st',
      '"x"',
    ])
      await refused(post(world, [`Host: ${wrong}`, own]));
    assert.deepEqual(statuses(await sendRaw(gateway.address, post(world, [own]))), [400]);
    assert.equal(world.calls().length, 0);
    for (const good of ['x', 'ai.example.com', 'ai.example.com:8080', '127.0.0.1:1', '[::1]:8080', 'tollgate_1', 'a.'])
      assert.deepEqual(statuses(await sendRaw(gateway.address, post(world, [`Host: ${good}`, own]))), [200], good);
  });

  test('HTTP/1.0 with a transfer encoding is 400, without one it is served', async (t) => {
    const world = await makeWorld(gateway, t);
    const own = `Authorization: Bearer ${world.key}`;
    const body = JSON.stringify(chatBody(world.model, 'x'));
    await refused(
      `POST /v1/chat/completions HTTP/1.0\r\n${own}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    );
    assert.equal(world.calls().length, 0);
    const answer = await sendRaw(gateway.address, post(world, [own], 'HTTP/1.0'));
    assert.deepEqual(statuses(answer), [200], answer);
  });

  test('CONNECT is answered 405, OPTIONS * 204 with what the server takes', async () => {
    const connect = await sendRaw(gateway.address, `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n`);
    assert.deepEqual(statuses(connect), [405], connect);
    assert.match(connect, /^allow: .*\bPOST\b/im);
    assert.match(connect, /"code":"method_not_allowed"/);
    const options = await sendRaw(gateway.address, `OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.deepEqual(statuses(options), [204], options);
    assert.match(options, /^allow: DELETE, GET, HEAD, PATCH, POST, PUT, OPTIONS\r$/im);
  });

  test('bytes behind a request with Connection: close do not cost its answer', async (t) => {
    const world = await makeWorld(gateway, t);
    const lines = [`Host: ${host}`, `Authorization: Bearer ${world.key}`, 'Connection: close'];
    for (const behind of ['x', '\r\n\r\n\r\n', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 'x'.repeat(100_000)]) {
      const answer = await sendRaw(gateway.address, post(world, lines) + behind);
      assert.deepEqual(statuses(answer), [200], `${behind.slice(0, 20)}: ${answer}`);
      assert.match(answer, /"choices":/);
    }
    assert.equal(world.calls().length, 4);
  });

  test('a chunked body that cannot be read is 400 at once and ends the connection', async (t) => {
    const { key } = await makeWorld(gateway, t);
    const lines = ['Content-Type: application/json', 'Transfer-Encoding: chunked', `Host: ${host}`];
    for (const head of [
      ['POST /operator/v1/session HTTP/1.1', ...lines],
      ['POST /operator/v1/accounts HTTP/1.1', ...lines, `Authorization: Bearer ${OPERATOR_KEY}`],
      ['POST /v1/chat/completions HTTP/1.1', ...lines, `Authorization: Bearer ${key}`],
    ]) {
      const answer = await sendRaw(gateway.address, `${head.join('\r\n')}\r\n\r\n1\r\n{\r\nZZ\r\n`);
      assert.deepEqual(statuses(answer), [400], `${head[0]}: ${answer}`);
    }
  });

  test('garbage behind a request does not cost its answer either, and ends the connection', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'slow-200' }] });
    const before = await balanceOf(gateway, world.account.id);
    for (const lines of [[], ['Accept: a', 'Expect: 100-continue']]) {
      const answer = await sendRaw(
        gateway.address,
        `${post(world, [`Host: ${host}`, `Authorization: Bearer ${world.key}`, ...lines])}no request at all\r\n\r\n`,
      );
      assert.equal(
        statuses(answer).find((status) => status !== 100),
        200,
        answer,
      );
      assert.match(answer, /"choices":/);
    }
    assert.notEqual(await balanceOf(gateway, world.account.id), before);
  });

  test('Allow names the methods that a path with a name in it really takes', async (t) => {
    const world = await makeWorld(gateway, t);
    for (const [path, allow] of [
      ['/v1/responses/resp_1', 'DELETE, GET, HEAD'],
      ['/v1/responses/resp_1/input_items', 'GET, HEAD'],
      ['/v1/responses/resp_1/cancel', 'POST'],
      [`/v1beta/models/${world.model}`, 'GET, HEAD'],
      [`/v1beta/models/${world.model}:generateContent`, 'POST'],
      [`/v1/models/${world.model}`, 'GET, HEAD'],
      ['/v1/videos/task_1', 'DELETE, GET, HEAD'],
      ['/v1/videos/task_1/content', 'GET, HEAD'],
      ['/v1/video/generations/task_1', 'GET, HEAD'],
    ] as const) {
      const response = await fetch(gateway.address + path, { method: 'PUT' });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, allow], path);
    }
  });

  test('/metrics is open to this machine, and closed to whatever was passed on to it', async () => {
    const get = (version: string, ...lines: string[]): Promise<string> =>
      sendRaw(
        gateway.address,
        `GET /metrics ${version}\r\n${['Host: x', ...lines].join('\r\n')}\r\nConnection: close\r\n\r\n`,
      );
    assert.deepEqual(statuses(await get('HTTP/1.1')), [200]);
    for (const line of [
      'X-Forwarded-For: 203.0.113.1',
      'X-Forwarded-Proto: https',
      'X-Forwarded-Host: ai.example.com',
      'Forwarded: for=203.0.113.1',
      'X-Real-IP: 203.0.113.1',
      'Via: 1.1 proxy',
      'CF-Connecting-IP: 203.0.113.1',
      'True-Client-IP: 203.0.113.1',
      'X-Client-IP: 203.0.113.1',
      'X-Amzn-Trace-Id: Root=1',
      'X-Envoy-External-Address: 203.0.113.1',
    ])
      assert.deepEqual(statuses(await get('HTTP/1.1', line)), [403], line);
    // As nginx passes requests on by default: with no such header, and as HTTP/1.0.
    assert.deepEqual(statuses(await get('HTTP/1.0')), [403]);
    assert.deepEqual(statuses(await get('HTTP/1.1', 'Via: 1.1 proxy', `Authorization: Bearer ${OPERATOR_KEY}`)), [200]);
  });

  test('a body in broken chunks is 400 at once, and does not hold its connection until it is late (spec 7)', async (t) => {
    const world = await makeWorld(gateway, t);
    const body = JSON.stringify(chatBody(world.model, 'x'));
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${world.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const size = body.length.toString(16);
    for (const broken of [
      `zz\r\n${body}`,
      `${size};a="\n"\r\n${body}\r\n0\r\n\r\n`,
      `3\r\n{"mZZ\r\n${body}\r\n0\r\n\r\n`,
      `${size}\r\n${body}\r\n0\r\nA B: c\r\n\r\n`,
    ])
      await refused(head + broken);
    assert.equal(world.calls().length, 0);
  });
});
