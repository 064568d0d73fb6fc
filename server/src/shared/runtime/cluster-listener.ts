// Gain: the primary of several workers can hand its port over, and stop accepting before its workers end. Removable alone:
// without it an upgrade with workers has a gap. node:cluster keeps the listening socket of the workers to itself; it is seen
// here at the moment at which it begins to listen, by the private field `_handle`.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import { handleOf, type NodeHandle } from './handle-pipe.ts';

const CHANNEL = 'tracing:net.server.listen:asyncStart';

export class ClusterListener {
  #handle: NodeHandle | undefined;
  readonly #ours: Listening & { backlog: number };
  readonly #onListen = (message: unknown): void => {
    const { server, options } = message as { server: Server; options: Listening };
    const isOurs = options.fd === undefined ? options.port === this.#ours.port : options.fd === this.#ours.fd;
    if (!isOurs) return;
    // node:cluster takes the handle away from its server in its own listener, which comes after this one.
    server.once('listening', () => {
      const handle = handleOf(server);
      if (handle === undefined) return;
      this.#handle = handle;
      if (options.fd !== undefined) handle.listen?.(this.#ours.backlog); // which Node does not pass on then
    });
  };

  /** To be made before the first worker starts. */
  constructor(ours: Listening & { backlog: number }) {
    this.#ours = ours;
    subscribe(CHANNEL, this.#onListen);
  }

  get handle(): NodeHandle | undefined {
    return this.#handle;
  }

  /** No connection is accepted by this process any more; workers still get those that were. */
  close(): void {
    unsubscribe(CHANNEL, this.#onListen);
    this.#handle?.close();
  }
}

/** What a server listens at. */
export interface Listening {
  port?: number | undefined;
  fd?: number | undefined;
}
