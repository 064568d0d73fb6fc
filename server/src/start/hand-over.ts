// The old side of an upgrade on one machine: gives its listening socket to a new process that asks for it at a unix socket in
// the data folder, goes on serving until that one is ready, and then ends what it has.
import { mkdirSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { HandlePipe, type NodeHandle, portOf } from '../shared/runtime/handle-pipe.ts';
import { productVersion } from '../shared/product-version.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type FromNew, type FromOld, HAND_OVER, handOverPath } from './hand-over-messages.ts';

export interface HandOverOffer {
  settings: { dataFolder: string; host: string };
  logger: Pick<Logger, 'warn'>;
  listener(): NodeHandle | undefined;
  /** Another process serves the port from now on. */
  onRelieved(): void;
  /** How long a new process has the turn to itself. */
  turnMs?: number;
}

/** A start with a long migration takes so long. The next that asks gets the turn of one that is still not ready. */
const TURN_MS = 120_000;

export class HandOver {
  readonly #offer: HandOverOffer;
  #server: Server | undefined;
  /** The one new process that has asked. */
  #successor: HandlePipe | undefined;
  #turnEndsAt = 0;
  #isOver = false;

  constructor(offer: HandOverOffer) {
    this.#offer = offer;
  }

  /** Never rejects: a gateway that cannot be replaced without a gap is still a gateway. */
  async open(): Promise<void> {
    const { settings, listener, logger } = this.#offer;
    const path = handOverPath({ ...settings, port: portOf(listener()) });
    if (path === undefined || this.#isOver) return;
    try {
      this.#server = await listenAt(path, (socket) => this.#met(socket));
      if (this.#isOver) this.close();
    } catch (error) {
      logger.warn({ error }, 'no other process can take over from this one: its unix socket cannot be made');
    }
  }

  close(): void {
    this.#isOver = true;
    this.#server?.close(); // which also removes the file
    this.#successor?.close();
  }

  #met(socket: Socket): void {
    const pipe = HandlePipe.accept(socket);
    pipe.onMessage = (message) => this.#heard(pipe, (message ?? {}) as FromNew);
    pipe.onEnd = () => this.#lost(pipe);
    pipe.read();
  }

  #heard(pipe: HandlePipe, message: FromNew): void {
    if (message.kind === 'ready' && pipe === this.#successor) return this.#relieved(pipe);
    if (message.kind === 'wanted') return this.#asked(pipe, message);
    return pipe.close();
  }

  #asked(pipe: HandlePipe, { protocol, version }: FromNew & { kind: 'wanted' }): void {
    const { settings, listener, logger } = this.#offer;
    const refuse = (reason: string): void => pipe.send({ kind: 'refused', reason } satisfies FromOld);
    const handle = listener();
    if (protocol !== HAND_OVER) return refuse(`version ${productVersion} hands over in another way`);
    if (this.#hasTurn(pipe) || this.#isOver || handle === undefined)
      return refuse('another process is taking over already');
    this.#successor = pipe;
    this.#turnEndsAt = performance.now() + (this.#offer.turnMs ?? TURN_MS);
    logger.warn({ version }, 'a new process takes over; this one serves until it is ready');
    return pipe.send({ kind: 'listener', host: settings.host, version: productVersion } satisfies FromOld, handle);
  }

  /** Is somebody else taking over? One that stays silent is cut off, so that it cannot keep all others out. */
  #hasTurn(asking: HandlePipe): boolean {
    const successor = this.#successor;
    if (successor === undefined) return false;
    if (successor === asking || performance.now() < this.#turnEndsAt) return true;
    this.#successor = undefined;
    successor.close();
    this.#offer.logger.warn('the new process was not ready in time; another one takes over');
    return false;
  }

  /** The file is removed before the new process may make its own. */
  #relieved(pipe: HandlePipe): void {
    this.#isOver = true;
    this.#server?.close();
    this.#offer.logger.warn('another process serves now; this one ends what it has');
    this.#offer.onRelieved();
    pipe.send({ kind: 'leaving' } satisfies FromOld);
    pipe.close();
  }

  #lost(pipe: HandlePipe): void {
    if (pipe !== this.#successor || this.#isOver) return;
    this.#successor = undefined;
    this.#offer.logger.warn('the new process ended before it was ready; this one stays');
  }
}

/** One of a process that is gone is in the way of nobody. */
async function listenAt(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const abandoned = await HandlePipe.connect(path).then(
    (pipe) => (pipe.close(), false),
    () => true,
  );
  if (!abandoned) throw new Error('another process listens there');
  try {
    unlinkSync(path);
  } catch {
    // There was none.
  }
  const server = createServer({ pauseOnConnect: true }, onConnection);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // The file is there at once, and must be nobody else's from the first moment on.
    const before = process.umask(0o177);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(before);
    }
  });
  server.unref();
  return server;
}
