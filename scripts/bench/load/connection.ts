// One keep-alive client connection with one request under way at a time. A broken connection fails its request and is
// opened again for the next one.
import { connect, type Socket } from 'node:net';
import { lastWords, type Target } from '../wire/chat-request.ts';
import { MessageReader } from '../wire/message-reader.ts';

export interface Answer {
  status: number;
  bodyBytes: number;
  /** Server-sent events seen, and whether the last of them was the one that ends a stream. */
  events: number;
  done: boolean;
}

export class RequestFailure extends Error {}

const newline = 10;

interface Waiting {
  resolve(answer: Answer): void;
  reject(failure: RequestFailure): void;
  onFirstPart: (() => void) | undefined;
}

export class Connection {
  readonly #address: { host: string; port: number; localAddress?: string };
  readonly #lastWords: Buffer;
  #socket: Socket | undefined;
  #closedFor: string | undefined;
  #waiting: Waiting | undefined;
  #answer: Answer = { status: 0, bodyBytes: 0, events: 0, done: false };
  #streamed = false;
  #lastByte = 0;
  #tail: Buffer = Buffer.alloc(0);

  /** `localAddress`: whom it comes from, where many connections shall not come from one address. */
  constructor({ host, port, protocol }: Pick<Target, 'host' | 'port' | 'protocol'>, localAddress?: string) {
    this.#address = { host, port, ...(localAddress !== undefined && { localAddress }) };
    this.#lastWords = lastWords[protocol];
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** Sends one request; the promise is for its whole answer. `onFirstPart` tells when its body begins. */
  exchange(request: Buffer, onFirstPart?: () => void): Promise<Answer> {
    if (this.#closedFor !== undefined) return Promise.reject(new RequestFailure(this.#closedFor));
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject, onFirstPart };
      this.#socket ??= this.#open();
      this.#socket.write(request);
    });
  }

  /** Ends the connection for good; a request under way and every later one fails for this reason. */
  close(reason: string): void {
    this.#closedFor = reason;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
    this.#fail(reason);
  }

  #open(): Socket {
    const reader = new MessageReader({
      onHead: (head) => this.#begin(head),
      onBody: (part) => this.#take(part),
      onEnd: () => this.#finish(),
    });
    const socket = connect({ ...this.#address, noDelay: true });
    socket.on('data', (data) => reader.push(data));
    socket.on('error', (error) => this.#lose(socket, 'code' in error ? String(error.code) : error.message));
    socket.on('close', () => this.#lose(socket, 'connection closed early'));
    return socket;
  }

  #begin(head: string): void {
    this.#answer = { status: Number(head.slice(9, 12)), bodyBytes: 0, events: 0, done: false };
    this.#streamed = /\r\ncontent-type: *text\/event-stream/i.test(head);
    this.#lastByte = 0;
    this.#tail = Buffer.alloc(0);
  }

  #take(part: Buffer): void {
    const answer = this.#answer;
    if (answer.bodyBytes === 0) this.#waiting?.onFirstPart?.();
    answer.bodyBytes += part.length;
    if (!this.#streamed) return;
    for (const byte of part) {
      if (byte === newline && this.#lastByte === newline) answer.events += 1;
      this.#lastByte = byte;
    }
    this.#tail = part.length >= this.#lastWords.length ? part : Buffer.concat([this.#tail, part]);
  }

  #finish(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#answer.done = this.#streamed && this.#tail.subarray(-this.#lastWords.length).equals(this.#lastWords);
    waiting?.resolve(this.#answer);
  }

  #lose(socket: Socket, reason: string): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#fail(reason);
  }

  #fail(reason: string): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(new RequestFailure(reason));
  }
}
