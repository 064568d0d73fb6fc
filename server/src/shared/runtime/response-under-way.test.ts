import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { createServer } from './node-http.ts';
import { responseUnderWay } from './response-under-way.ts';

test('the private field _httpMessage of node:http is the answer under way, and nothing before and after it', async (t) => {
  const states: (boolean | undefined)[] = [];
  const server = createServer((request, response) => {
    const { socket } = request;
    states.push(responseUnderWay(socket) === response, responseUnderWay(socket)?.req.complete);
    response.once('close', () => states.push(responseUnderWay(socket) === undefined));
    response.end('x');
  });
  server.on('connection', (socket: Socket) => states.push(responseUnderWay(socket) === undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  client.resume();
  await once(client, 'close');
  assert.equal(states[0], true, 'none on a new connection');
  assert.equal(states[1], true, 'the response object itself');
  assert.equal(typeof states[2], 'boolean', 'it knows its request');
  assert.equal(states[3], true, 'none after its end');
});
