// One request and its answer. It reaches the connection only while it owns it, so that a handler that acts too late cannot
// touch the next call.
import type { AnswerHeaders } from './answer-head.ts';

/** What the client's user may do to a call; the client library offers the same and more. */
export interface CallController {
  abort(error: Error): void;
  pause(): void;
  resume(): void;
}

/** Who gets the events of a call; the same as for the client library. */
export interface CallHandler {
  /** The request is about to be written; the last chance to abort it without a trace. */
  onRequestStart(controller: CallController): void;
  onResponseStart(controller: CallController, status: number, headers: AnswerHeaders): void;
  onResponseData(controller: CallController, chunk: Buffer): void;
  onResponseEnd(): void;
  /** At most once, and never after the end, unless that threw. */
  onResponseError(controller: CallController | undefined, error: Error): void;
}

/** What an exchange uses of the connection that carries it. */
interface Carrier {
  drop(): void;
  pause(): void;
  resume(): void;
}

export class Exchange implements CallController {
  /** Of the request; there until they are written, which may be long before the answer ends. */
  head: string;
  body: Buffer | null;
  readonly handler: CallHandler;
  /** A body where none is expected may confuse the other side, which then is not asked again there. */
  readonly isOdd: boolean;
  connection: Carrier | undefined;
  isPaused = false;
  isOver = false;

  constructor(head: string, body: Buffer | null, handler: CallHandler) {
    this.head = head;
    this.body = body === null || body.length === 0 ? null : body;
    this.handler = handler;
    this.isOdd = this.body !== null && !head.startsWith('POST ');
  }

  /** Whether it is still wanted. */
  start(): boolean {
    try {
      this.handler.onRequestStart(this);
    } catch (error) {
      this.abort(error as Error);
    }
    return !this.isOver;
  }

  abort(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    const { connection } = this;
    this.connection = undefined;
    connection?.drop();
    this.handler.onResponseError(this, error);
  }

  pause(): void {
    if (this.isOver || this.isPaused) return;
    this.isPaused = true;
    this.connection?.pause();
  }

  resume(): void {
    if (this.isOver || !this.isPaused) return;
    this.isPaused = false;
    this.connection?.resume();
  }

  /** The answer is whole. */
  end(): void {
    this.isOver = true;
    this.connection = undefined;
    try {
      this.handler.onResponseEnd();
    } catch (error) {
      this.handler.onResponseError(this, error as Error);
    }
  }
}
