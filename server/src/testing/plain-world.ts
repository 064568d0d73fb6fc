// A server with plain connections before node:http, and clients that speak to it byte by byte.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { takePlainConnections } from '../http/plain/plain-connections.ts';
import type { PlainRequest } from '../http/plain/plain-request.ts';
import type { PublicRequest, PublicResponse } from '../http/public-exchange.ts';

export interface World {
  server: Server;
  port: number;
  /** What was served, and by whom. */
  served: string[];
  open(): Socket;
}

export type Answer = (request: PlainRequest, response: PublicResponse) => void;

export const echo: Answer = ({ body }, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
};

/** `/plain` is for plain connections; node:http answers everything with what it got. */
export async function startWorld(t: TestContext, answer: Answer = echo, keepAliveMs = 72_000): Promise<World> {
  const served: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    served.push('node');
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.concat(pieces));
    });
  });
  takePlainConnections(server, {
    find: ({ url }) =>
      url === '/plain' ? (request: PublicRequest, response) => answer(request as PlainRequest, response) : undefined,
    serve(request, response, service) {
      served.push('plain');
      service(request, response);
    },
    keepAliveMs,
    mostBodyBytes: 10_000,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    return socket;
  };
  return { server, port, served, open };
}

export const ask = (body: string, path = '/plain', more = ''): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`;

/** All that comes, as text. */
export function listen(socket: Socket): { text: string; ended: boolean } {
  const heard = { text: '', ended: false };
  socket.on('data', (piece: Buffer) => void (heard.text += piece.toString('latin1')));
  socket.on('close', () => void (heard.ended = true));
  return heard;
}

export const count = (text: string, what: string): number => text.split(what).length - 1;
