// One connection to an upstream, on which one exchange follows another. It reads into a buffer that all connections share, hands
// on copies of what the body has there, and is closed at the first thing that is not as it should be.
import type { OnReadOpts, Socket } from 'node:net';
import { copyOf } from '../../shared/runtime/copy-piece.ts';
import { errors } from '../../shared/runtime/undici.ts';
import { AnswerParser } from './answer-parser.ts';
import type { AnswerHead } from './answer-head.ts';
import type { Exchange } from './exchange.ts';

export interface ConnectionOwner {
  /** The connection may carry another request. */
  onFree(connection: Connection, head: AnswerHead): void;
  onClosed(connection: Connection): void;
}

const BUFFER_BYTES = 65_536;
/** A larger body is not worth a copy to be written together with its head. */
const MOST_JOINED = 16_384;
const CONNECTION = Symbol('connection');
const NOTHING = Buffer.alloc(0);

type ConnectionSocket = Socket & { [CONNECTION]?: Connection };

/**
 * For the options of a connection. No handler can make a connection read another piece into the buffer while the last one is in
 * use: requests are written by the pool only, and a connection that goes on reads what it has kept.
 */
export const connectionReads: OnReadOpts = {
  buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES),
  callback(this: ConnectionSocket, length: number, buffer: Uint8Array): boolean {
    const connection = this[CONNECTION];
    if (connection !== undefined) return connection.read(buffer as Buffer, length);
    this.destroy();
    return false;
  },
};

export class Connection {
  /** When it is too old to be used again; kept for its owner. */
  freshUntil = 0;
  readonly #socket: ConnectionSocket;
  readonly #owner: ConnectionOwner;
  readonly #parser = new AnswerParser();
  #exchange: Exchange | undefined;
  /** What came and may not be handed on yet. */
  #kept: Buffer[] = [];
  #isReading = false;
  /** Why the connection is closed; null where the other side just did so. */
  #closedBy: Error | null | undefined;

  constructor(socket: ConnectionSocket, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#owner = owner;
    socket[CONNECTION] = this;
    socket.on('error', (error) => this.#close(error));
    socket.on('end', () => this.#close(null));
    socket.on('close', () => {
      this.#close(new errors.SocketError('closed'));
      owner.onClosed(this);
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  send(exchange: Exchange): void {
    const socket = this.#socket;
    this.#exchange = exchange;
    exchange.connection = this;
    this.#parser.begin();
    socket.ref();
    const { head, body } = exchange;
    exchange.head = '';
    exchange.body = null;
    if (body === null) socket.write(head, 'latin1');
    else if (body.length <= MOST_JOINED) socket.write(join(head, body));
    else {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body);
      socket.uncork();
    }
  }

  /** Nothing is under way on it: it does not keep the process alive. */
  rest(): void {
    this.#socket.unref();
  }

  /** Takes a piece from the buffer; answers whether more may come. */
  read(buffer: Buffer, length: number): boolean {
    const exchange = this.#exchange;
    if (exchange === undefined) {
      this.#socket.destroy(); // nobody has asked for anything
      return false;
    }
    if (exchange.isPaused || this.#kept.length > 0) this.#kept.push(copyOf(buffer, 0, length));
    else this.#handOn(exchange, buffer, length);
    return !exchange.isPaused;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
    const exchange = this.#exchange;
    if (exchange === undefined || this.#isReading) return;
    do {
      const piece = this.#kept.shift() ?? NOTHING; // an end needs no byte
      this.#handOn(exchange, piece, piece.length);
    } while (this.#kept.length > 0 && !exchange.isPaused && !exchange.isOver);
    if (this.#closedBy !== undefined) this.#finish(this.#closedBy);
  }

  /** Gives up the connection and forgets the exchange, without a word to its handler. */
  drop(): void {
    this.#exchange = undefined;
    this.#kept = [];
    this.#socket.destroy();
  }

  /** Gives up the connection, and with it what is under way. */
  async destroy(error: Error): Promise<void> {
    const closed = new Promise((resolve) => {
      this.#socket.once('close', resolve);
    });
    this.#exchange?.abort(error);
    this.drop();
    await closed;
  }

  #handOn(exchange: Exchange, piece: Buffer, end: number): void {
    const parser = this.#parser;
    const { handler } = exchange;
    parser.at = 0;
    this.#isReading = true;
    try {
      for (;;) {
        const step = parser.next(piece, end);
        if (step === 'more') return;
        if (step === 'end') break;
        if (step === 'body') handler.onResponseData(exchange, copyOf(piece, parser.bodyStart, parser.bodyEnd));
        else handler.onResponseStart(exchange, (parser.head as AnswerHead).status, (parser.head as AnswerHead).headers);
        if (exchange.isOver) return;
        if (!exchange.isPaused) continue;
        if (parser.at < end) this.#kept.unshift(copyOf(piece, parser.at, end));
        return;
      }
    } catch (error) {
      exchange.abort(error as Error);
      return;
    } finally {
      this.#isReading = false;
    }
    this.#end(exchange, parser.at === end && this.#kept.length === 0);
  }

  #end(exchange: Exchange, isClean: boolean): void {
    const head = this.#parser.head as AnswerHead;
    const socket = this.#socket;
    this.#exchange = undefined;
    // An answer to a request that is not yet sent belongs to another one, or to nobody.
    const isFree = isClean && !head.isLast && !exchange.isOdd && socket.writableLength === 0 && !socket.destroyed;
    if (isFree) this.#owner.onFree(this, head);
    else this.drop();
    exchange.end();
  }

  #close(reason: Error | null): void {
    if (this.#closedBy !== undefined) return;
    this.#closedBy = reason;
    this.#socket.destroy();
    this.#finish(reason);
  }

  #finish(reason: Error | null): void {
    const exchange = this.#exchange;
    if (exchange === undefined || exchange.isPaused) return;
    const failure = reason ?? this.#parser.finish();
    if (failure === undefined) this.#end(exchange, false);
    else exchange.abort(failure);
  }
}

function join(head: string, body: Buffer): Buffer {
  const joined = Buffer.allocUnsafe(head.length + body.length);
  joined.write(head, 'latin1');
  joined.set(body, head.length);
  return joined;
}
