// A small real HTTP proxy: tunnels by CONNECT to where a table says, remembers what it was asked for.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface ConnectProxy {
  url: string;
  port: number;
  asked: string[];
  credentials: (string | undefined)[];
}

/** `routes`: authority -> port of this machine; what it does not name is answered with 403. */
export async function startConnectProxy(
  t: Pick<TestContext, 'after'>,
  routes: Readonly<Record<string, number>>,
): Promise<ConnectProxy> {
  const proxy: ConnectProxy = { url: '', port: 0, asked: [], credentials: [] };
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(400).end());
  server.on('connect', (request, socket: Socket) => {
    proxy.asked.push(request.url ?? '');
    proxy.credentials.push(request.headers['proxy-authorization']);
    const port = routes[request.url ?? ''];
    if (port === undefined) return socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\nx-proxy: test\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on('error', () => one.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close().closeAllConnections();
  });
  proxy.port = (server.address() as AddressInfo).port;
  proxy.url = `http://127.0.0.1:${proxy.port}`;
  return proxy;
}
