// The relay's way back to the client on a raw response: whole answers and event streams, with backpressure, and word of a
// client that left.
import type { Socket } from 'node:net';
import type { BodyReply } from '../../relay/call.ts';
import { unsentBytes } from '../../shared/runtime/unsent-bytes.ts';
import type { PublicResponse } from '../public-exchange.ts';

const EVENTS = 'text/event-stream; charset=utf-8';
/** A client that takes nothing for this long is dropped: its buffers are worth more than its connection. */
const STALL_MS = 60_000;
/** What the system's own buffers take from us at once. */
const SURELY_TAKEN = 64 * 1024;
/** A chunk up to this size is copied into its frame, which makes one write of four. */
const MOST_COPIED = 8 * 1024;

export class RawReply implements BodyReply {
  begun = false;
  gone = false;
  readonly #response: PublicResponse;
  #stall: NodeJS.Timeout | undefined;
  /** Of a response in chunks, once its head and all before it are with the socket. */
  #socket: Socket | undefined;

  constructor(response: PublicResponse) {
    this.#response = response;
  }

  setHeader(name: string, value: string | undefined): void {
    if (this.#response.headersSent) return;
    if (value === undefined) this.#response.removeHeader(name);
    else this.#response.setHeader(name, value);
  }

  sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    if (this.gone) return;
    this.#response.writeHead(status, { ...headers, 'content-length': body.length });
    this.#response.end(body);
    if (body.length > SURELY_TAKEN) this.#watchPace();
  }

  beginStream(contentType: string = EVENTS): void {
    if (this.begun || this.gone) return;
    this.begun = true;
    this.#response.writeHead(200, {
      'content-type': contentType,
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
  }

  beginBody(status: number, headers: Record<string, string>): void {
    if (this.begun || this.gone) return;
    this.begun = true;
    this.#response.writeHead(status, headers);
  }

  write(bytes: Buffer): boolean {
    if (this.gone || bytes.length === 0) return true;
    if (this.#socket !== undefined && bytes.length <= MOST_COPIED) return this.#socket.write(frameChunk(bytes));
    const isTaken = this.#response.write(bytes);
    this.#socket ??= readySocket(this.#response);
    return isTaken;
  }

  onDrain(listener: () => void): void {
    this.#stall = setTimeout(() => this.#response.destroy(), STALL_MS);
    (this.#socket ?? this.#response).once('drain', () => {
      clearTimeout(this.#stall);
      listener();
    });
  }

  end(bytes: Buffer | undefined): void {
    if (this.gone) return;
    this.#response.end(bytes);
    if (this.#response.writableLength > SURELY_TAKEN) this.#watchPace();
  }

  /** After the last byte was written here, somebody must still take it there. */
  #watchPace(): void {
    const { socket } = this.#response;
    let left = unsentBytes(socket);
    const timer = setInterval(() => {
      const now = unsentBytes(socket);
      if (now === left) this.#response.destroy();
      left = now;
    }, STALL_MS);
    this.#response.once('close', () => clearInterval(timer));
  }

  forgo(): void {} // nothing is kept here

  breakOff(): void {
    this.#response.destroy();
  }

  onGone(listener: () => void): void {
    const leave = (): void => {
      clearTimeout(this.#stall);
      if (this.#response.writableFinished) return;
      this.gone = true;
      listener();
    };
    if (this.#response.closed) leave();
    else this.#response.once('close', leave);
  }
}

/** The socket, if what is written to it comes right behind all that was written to the response. */
function readySocket(response: PublicResponse): Socket | undefined {
  const { socket, chunkedEncoding } = response;
  return chunkedEncoding && socket !== null && socket.writableLength === response.writableLength ? socket : undefined;
}

/** RFC 9112, 7.1; empty ones would be the end. */
function frameChunk(bytes: Buffer): Buffer {
  const size = `${bytes.length.toString(16)}\r\n`;
  const frame = Buffer.allocUnsafe(size.length + bytes.length + 2);
  frame.write(size, 'latin1');
  bytes.copy(frame, size.length);
  frame[frame.length - 2] = 13;
  frame[frame.length - 1] = 10;
  return frame;
}
