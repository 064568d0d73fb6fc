// A scripted TCP proxy: cuts after so many bytes, goes silent, refuses, or answers with rubbish. Stands in front
// of PostgreSQL, Redis or the provider.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface Cut {
  /** Bytes that still pass, counted from the first one after the cut was armed. */
  after: number;
  /** Which way those bytes go: `up` to the server behind, `down` to the client. */
  direction: 'up' | 'down';
  /** What the client's socket meets then. */
  how: 'reset' | 'end';
}

interface Carried {
  client: Socket;
  server: Socket;
  cut: Cut | undefined;
  passed: number;
}

export class FaultProxy {
  readonly port: number;
  /** Connections that were cut as armed. */
  cuts = 0;
  connections = 0;
  readonly #server: Server;
  readonly #target: { host: string; port: number };
  readonly #carried = new Set<Carried>();
  #armed: Cut | undefined;
  #mode: 'carry' | 'refuse' | 'silent' = 'carry';
  #rubbish: Buffer | undefined;

  private constructor(server: Server, target: { host: string; port: number }) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (client) => this.#carry(client));
  }

  static async start(address: string): Promise<FaultProxy> {
    const { hostname, port } = new URL(address);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, { host: hostname, port: Number(port) });
  }

  /** The same address through this proxy. */
  through(address: string): string {
    const url = new URL(address);
    url.host = `127.0.0.1:${this.port}`;
    return url.toString().replace(/\/$/, '');
  }

  /** The next connection that carries bytes that way is cut. */
  arm(cut: Cut): void {
    this.#armed = cut;
  }

  /** Cuts what is open, and lets nobody in. */
  refuse(): void {
    this.#mode = 'refuse';
    this.closeAll();
  }

  /** Connections stay and new ones are taken, but no byte passes. */
  silence(): void {
    this.#mode = 'silent';
    for (const { client, server } of this.#carried) for (const socket of [client, server]) socket.pause();
  }

  /** Whatever is asked from now on is answered with these bytes. */
  answerWith(rubbish: Buffer): void {
    this.#rubbish = rubbish;
  }

  heal(): void {
    this.#mode = 'carry';
    this.#rubbish = undefined;
    this.#armed = undefined;
    for (const carried of this.#carried) {
      carried.cut = undefined;
      carried.client.resume();
      carried.server.resume();
    }
  }

  closeAll(): void {
    for (const carried of this.#carried) destroy(carried);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.closeAll();
    await closed;
  }

  #carry(client: Socket): void {
    client.on('error', () => {});
    if (this.#mode === 'refuse') return void client.destroy();
    this.connections++;
    const server = connect(this.#target);
    const carried: Carried = { client, server, cut: undefined, passed: 0 };
    this.#carried.add(carried);
    server.on('error', () => {});
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('close', () => {
        this.#carried.delete(carried);
        destroy(carried);
      });
      if (this.#mode === 'silent') socket.pause();
    }
    client.on('data', (chunk) => {
      if (this.#rubbish !== undefined) client.write(this.#rubbish);
      else this.#pass(carried, 'up', chunk);
    });
    server.on('data', (chunk) => this.#pass(carried, 'down', chunk));
  }

  #pass(carried: Carried, direction: Cut['direction'], chunk: Buffer): void {
    if (this.#armed?.direction === direction && carried.cut === undefined) {
      carried.cut = this.#armed;
      carried.passed = 0;
      this.#armed = undefined;
    }
    const to = direction === 'up' ? carried.server : carried.client;
    const { cut } = carried;
    if (cut === undefined || cut.direction !== direction) {
      if (!to.write(chunk)) this.#holdBack(carried, direction);
      return;
    }
    const left = cut.after - carried.passed;
    carried.passed += chunk.length;
    if (chunk.length < left) return void to.write(chunk);
    this.cuts++;
    const last = chunk.subarray(0, Math.max(0, left));
    const sever = (): void => {
      if (cut.how === 'end') carried.client.end();
      else carried.client.resetAndDestroy();
      carried.server.destroy();
    };
    if (last.length === 0) sever();
    else to.write(last, sever);
  }

  #holdBack({ client, server }: Carried, direction: Cut['direction']): void {
    const [from, to] = direction === 'up' ? [client, server] : [server, client];
    from.pause();
    to.once('drain', () => {
      if (this.#mode === 'carry') from.resume();
    });
  }
}

function destroy({ client, server }: Carried): void {
  client.destroy();
  server.destroy();
}
