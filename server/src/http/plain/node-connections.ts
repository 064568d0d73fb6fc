// Connections that node:http has, when the server is to close. From then on it looks at no time limit of heads, and it takes
// a connection on which nothing was ever said for a busy one: either would hold a stop until all connections are cut.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { responseUnderWay } from '../../shared/runtime/response-under-way.ts';

export class NodeConnections {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Since when something comes that nobody answers: part of a head, or what is left of a body. */
  readonly #unanswered = new WeakMap<Socket, number>();

  constructor(server: Server) {
    this.#server = server;
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** It is no connection of HTTP any more, and ends by its own rules. */
  remove(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  /** Closed without a word, which clients may try again; those whose last request was answered node:http closes itself. */
  closeIfIdle(now: number): void {
    for (const socket of this.#sockets) {
      if (responseUnderWay(socket) !== undefined) this.#unanswered.delete(socket);
      else if (socket.bytesRead === 0 || this.#isLate(socket, now)) socket.destroy();
    }
  }

  #isLate(socket: Socket, now: number): boolean {
    const since = this.#unanswered.get(socket) ?? now;
    this.#unanswered.set(socket, since);
    return now - since > this.#server.headersTimeout;
  }
}
