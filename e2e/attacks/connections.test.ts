// One address that opens connection after connection: it gets as many as TOLLGATE_MAX_CONNECTIONS_PER_ADDRESS, and no more;
// others are served beside it (promise B-06). All tests run on loopback, which is not counted, so connections are given the
// addresses of strangers as the gateway accepts them.
import assert from 'node:assert/strict';
import { Server } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { openSocket, sendRaw, statuses } from '../support/socket.ts';
import { waitUntil } from '../support/wait.ts';
import { suiteGateway } from '../support/world.ts';

const MOST = 3;
/** One that goes through node:http, and one that is read from the socket itself. */
const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const POST =
  'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
const PROXY = '198.51.100.1';

test('an address has its connections and no more, one that ends makes room, and others are served (promise B-06)', async (t) => {
  const gateway = await suiteGateway({
    settings: { TOLLGATE_MAX_CONNECTIONS_PER_ADDRESS: String(MOST), TOLLGATE_TRUSTED_PROXIES: PROXY },
  });
  let from = '203.0.113.1';
  let accepted = 0;
  const emit = Server.prototype.emit;
  t.mock.method(Server.prototype, 'emit', function (this: Server, ...args: Parameters<typeof emit>) {
    const [name, socket] = args as unknown as [string, Socket];
    if (name === 'connection') {
      Object.defineProperty(socket, 'remoteAddress', { value: from });
      accepted++;
    }
    return emit.apply(this, args);
  });
  const hold = async (count: number): Promise<Socket[]> => {
    const before = accepted;
    const held = Array.from({ length: count }, () => openSocket(gateway.address));
    await waitUntil(() => accepted === before + count, 'they are not open');
    return held;
  };
  const isServed = async (address: string, bytes = GET): Promise<boolean> => {
    from = address;
    const answer = await sendRaw(gateway.address, bytes);
    const [status = 0] = statuses(answer);
    assert.ok([200, 401, 503].includes(status), answer);
    if (status !== 503) return true;
    assert.match(answer, /This address has too many connections open\./);
    assert.match(answer, /^retry-after: \d+\r$/im);
    assert.match(answer, /^connection: close\r$/im);
    return false;
  };

  const held = await hold(MOST);
  assert.equal(await isServed('203.0.113.1'), false, 'one more than it may have');
  assert.equal(await isServed('203.0.113.2'), true, 'another address');
  held[0]?.destroy();
  for (let count = 0; count < MOST + 1; count++)
    for (const bytes of [GET, POST])
      await waitUntil(() => isServed('203.0.113.1', bytes), 'one that ended made no room');
  from = PROXY;
  held.push(...(await hold(MOST + 1)));
  assert.equal(await isServed(PROXY), true, 'a trusted proxy is not counted');
  for (const socket of held) socket.destroy();
});
