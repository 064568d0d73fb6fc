// Stands between the gateway and PostgreSQL and loses the answer to a commit: the one moment in which nobody can tell
// whether it happened.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class DatabaseProxy {
  readonly url: string;
  /** How many answers to a commit were lost. */
  lost = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #loseNext = false;
  #refusing = false;
  #refuseAfterLoss = false;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const target = new URL(databaseUrl);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = new URL(databaseUrl);
    url.port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const proxy = new DatabaseProxy(server, url.toString());
    server.on('connection', (client) => proxy.#carry(client, target));
    return proxy;
  }

  /** The next commit is made, and its answer never comes. */
  loseNextCommit(): void {
    this.#loseNext = true;
  }

  /** The same, and then no connection is let through until `heal`. */
  loseNextCommitAndRefuse(): void {
    this.#loseNext = true;
    this.#refuseAfterLoss = true;
  }

  heal(): void {
    this.#refusing = false;
    this.#refuseAfterLoss = false;
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  #carry(client: Socket, target: URL): void {
    if (this.#refusing) {
      client.destroy();
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    let losing = false;
    client.on('data', (chunk) => {
      if (this.#loseNext && isLedgerCommit(chunk)) {
        this.#loseNext = false;
        losing = true;
        this.lost++;
        if (this.#refuseAfterLoss) this.#refusing = true;
      }
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (!losing) client.write(chunk);
      else if (this.#refusing) this.#closeAll();
      else client.destroy();
    });
  }

  #closeAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** A simple query `commit`, alone in its packet, as the ledger's connection sends it; or a batch that is its own transaction. */
function isLedgerCommit(chunk: Buffer): boolean {
  return /(?:commit|ledger_batch)\0/i.test(chunk.toString('latin1'));
}
