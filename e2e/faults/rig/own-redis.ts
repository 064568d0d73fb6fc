// A Redis that a fault test may kill, freeze and empty, behind a proxy that may talk rubbish in its place.
import { connect } from 'node:net';
import { startRedis } from '../../../scripts/redis.mjs';
import { Skipped } from '../command/skipped.ts';
import { ProxyThread } from './proxy-thread.ts';

type Server = NonNullable<Awaited<ReturnType<typeof startRedis>>>;

export class OwnRedis {
  readonly proxy: ProxyThread;
  /** Through the proxy. */
  readonly url: string;
  #server: Server;
  #isRunning = true;

  private constructor(server: Server, proxy: ProxyThread) {
    this.#server = server;
    this.proxy = proxy;
    this.url = `redis://127.0.0.1:${proxy.port}`;
    process.once('exit', () => this.#signal('SIGKILL'));
  }

  static async start(): Promise<OwnRedis> {
    const server = await startRedis();
    if (server === undefined) throw new Skipped('no Redis can be had here');
    return new OwnRedis(server, await ProxyThread.start(server.url));
  }

  async kill(): Promise<void> {
    this.#isRunning = false;
    await this.#server.stop();
  }

  /** Empty, at the same address. */
  async startAgain(): Promise<void> {
    const server = await startRedis({ port: this.#server.port });
    if (server === undefined) throw new Error('Redis does not start again');
    this.#server = server;
    this.#isRunning = true;
  }

  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  /** Forgets all keys and all scripts. */
  empty(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#server.port, '127.0.0.1');
      let text = '';
      socket.on('error', reject).on('data', (chunk) => {
        text += chunk.toString();
        if (text !== '+OK\r\n+OK\r\n') return;
        socket.destroy();
        resolve();
      });
      socket.write('FLUSHALL\r\nSCRIPT FLUSH\r\n');
    });
  }

  async stop(): Promise<void> {
    if (this.#isRunning) await this.kill();
    await this.proxy.stop();
  }

  #signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    if (this.#isRunning) process.kill(this.#server.pid, signal);
  }
}
