// The answer to a plain request, with as much of node:http's response as the public paths use. What is not large leaves in
// one write with its head or its frame.
import type { Socket } from 'node:net';
import { NOT_IN_HEADER_VALUE } from '../../shared/header-text.ts';
import { STATUS_CODES } from '../../shared/runtime/node-http.ts';
import type { PublicResponse } from '../public-exchange.ts';

let dateSecond = Number.NaN;
let dateText = '';

/** The date of an answer (RFC 9110, 6.6.1), made once a second. */
export function httpDate(now = Date.now()): string {
  const current = Math.floor(now / 1000);
  if (current !== dateSecond) {
    dateSecond = current;
    dateText = new Date(now).toUTCString();
  }
  return dateText;
}

export interface PlainResponseDependencies {
  socket: Socket;
  /** Lines that tell the client how long it may come back. */
  keepAlive: string;
  /** All of the answer is with the system. */
  onDone(response: PlainResponse): void;
}

/** Up to this size pieces are copied into one. */
const MOST_COPIED = 16 * 1024;
const END_OF_CHUNK = '\r\n';
const LAST_CHUNK = '0\r\n\r\n';
const NOTHING = Buffer.alloc(0);
const LATER = Promise.resolve();

export class PlainResponse implements PublicResponse {
  statusCode = 200;
  headersSent = false;
  chunkedEncoding = false;
  writableEnded = false;
  writableFinished = false;
  destroyed = false;
  closed = false;
  /** The connection is to be closed behind this answer. */
  isLast = false;
  readonly socket: Socket;
  readonly #dependencies: PlainResponseDependencies;
  readonly #headers: Record<string, string> = {};
  /** Made by `writeHead`; leaves with the first bytes behind it. */
  #head = '';
  #closeListeners: (() => void)[] = [];

  constructor(dependencies: PlainResponseDependencies) {
    this.socket = dependencies.socket;
    this.#dependencies = dependencies;
  }

  once(event: 'close' | 'drain', listener: () => void): this {
    if (event === 'close') this.#closeListeners.push(listener);
    else this.socket.once(event, listener);
    return this;
  }

  off(_event: 'close', listener: () => void): this {
    this.#closeListeners = this.#closeListeners.filter((each) => each !== listener);
    return this;
  }

  get writableLength(): number {
    return this.socket.writableLength;
  }

  setHeader(name: string, value: string | number): this {
    const text = String(value);
    if (NOT_IN_HEADER_VALUE.test(text)) throw new TypeError(`the header ${name} has a value that cannot be sent`);
    this.#headers[name.toLowerCase()] = text;
    return this;
  }

  removeHeader(name: string): void {
    delete this.#headers[name.toLowerCase()];
  }

  writeHead(status: number, headers: Record<string, string | number> = {}): this {
    if (this.headersSent) throw new Error('the head of this answer was written before');
    for (const name in headers) this.setHeader(name, headers[name] ?? '');
    const own = this.#headers;
    this.statusCode = status;
    this.headersSent = true;
    this.isLast = own['connection'] === 'close';
    this.chunkedEncoding = own['content-length'] === undefined;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
    for (const name in own) if (name !== 'connection') head += `${name}: ${own[name]}\r\n`;
    if (this.chunkedEncoding) head += 'transfer-encoding: chunked\r\n';
    head += `date: ${httpDate()}\r\n`;
    this.#head = `${head}${this.isLast ? 'connection: close\r\n' : this.#dependencies.keepAlive}\r\n`;
    return this;
  }

  /** False when the socket holds more than it should; it emits `drain` then. */
  write(bytes: Buffer): boolean {
    if (this.destroyed || this.writableEnded || bytes.length === 0) return true;
    if (!this.headersSent) this.writeHead(this.statusCode);
    return this.#send(this.chunkedEncoding ? [sizeOf(bytes), bytes, END_OF_CHUNK] : [bytes]);
  }

  end(body?: Buffer | string): this {
    if (this.destroyed || this.writableEnded) return this;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const isEmpty = bytes === undefined || bytes.length === 0;
    if (!this.headersSent) this.writeHead(this.statusCode, { 'content-length': bytes?.length ?? 0 });
    this.writableEnded = true;
    if (isEmpty) this.#send([this.chunkedEncoding ? LAST_CHUNK : '']);
    else if (!this.chunkedEncoding) this.#send([bytes]);
    else this.#send([sizeOf(bytes), bytes, END_OF_CHUNK, LAST_CHUNK]);
    this.#awaitSent();
    return this;
  }

  destroy(): this {
    this.socket.destroy();
    return this;
  }

  /** For the connection, when it is gone. */
  lose(): void {
    if (this.closed) return;
    this.destroyed = true;
    this.#close();
  }

  #send(pieces: readonly (Buffer | string)[]): boolean {
    const { socket } = this;
    const head = this.#head;
    this.#head = '';
    let { length } = head;
    for (const piece of pieces) length += piece.length;
    if (length <= MOST_COPIED) return socket.write(joined(head, pieces, length));
    let isTaken = true;
    socket.cork();
    if (head !== '') socket.write(head, 'latin1');
    for (const piece of pieces)
      isTaken = typeof piece === 'string' ? socket.write(piece, 'latin1') : socket.write(piece);
    socket.uncork();
    return isTaken;
  }

  /** Mostly the system takes all at once, and a callback would only cost. Behind what it did not take an empty piece waits. */
  #awaitSent(): void {
    const { socket } = this;
    if (socket.writableLength > 0) socket.write(NOTHING, this.#onSent);
    else if (!socket.destroyed && socket.errored === null) void LATER.then(this.#onSent);
  }

  readonly #onSent = (error?: Error | null | void): void => {
    if (this.closed || (error ?? undefined) !== undefined) return; // of a failed write the connection tells
    this.writableFinished = true;
    this.#close();
    this.#dependencies.onDone(this);
  };

  #close(): void {
    this.closed = true;
    const listeners = this.#closeListeners;
    this.#closeListeners = [];
    for (const listener of listeners) listener();
  }
}

function sizeOf(bytes: Buffer): string {
  return `${bytes.length.toString(16)}\r\n`;
}

function joined(head: string, pieces: readonly (Buffer | string)[], length: number): Buffer {
  const whole = Buffer.allocUnsafe(length);
  let at = whole.write(head, 'latin1');
  for (const piece of pieces) {
    if (typeof piece === 'string') whole.write(piece, at, 'latin1');
    else piece.copy(whole, at);
    at += piece.length;
  }
  return whole;
}
