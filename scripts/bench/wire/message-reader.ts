// The least HTTP/1.1 reader that the upstream and the load generator can share: heads, counted bodies, chunked bodies.
// It trusts its peer, because both ends are ours; being cheap is its whole purpose.

export interface MessageHandlers {
  /** The start line and headers as text, without the empty line that ends them. */
  onHead(head: string): void;
  onBody(part: Buffer): void;
  onEnd(): void;
}

type State = 'head' | 'counted' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer';

const nothing = Buffer.alloc(0);

export class MessageReader {
  readonly #handlers: MessageHandlers;
  #state: State = 'head';
  #left = 0;
  #kept: Buffer = nothing;

  constructor(handlers: MessageHandlers) {
    this.#handlers = handlers;
  }

  push(data: Buffer): void {
    let rest = this.#kept.length === 0 ? data : Buffer.concat([this.#kept, data]);
    this.#kept = nothing;
    while (rest.length > 0) {
      const taken = this.#step(rest);
      if (taken === 0) {
        this.#kept = rest;
        return;
      }
      rest = rest.subarray(taken);
    }
  }

  /** Takes what it can from the front and says how much; 0 means that more bytes are needed. */
  #step(data: Buffer): number {
    if (this.#state === 'head') return this.#takeHead(data);
    if (this.#state === 'chunk-size') return this.#takeChunkSize(data);
    if (this.#state === 'chunk-end') return this.#takeChunkEnd(data);
    if (this.#state === 'trailer') return this.#takeTrailerLine(data);
    return this.#takeBody(data);
  }

  #takeHead(data: Buffer): number {
    const end = data.indexOf('\r\n\r\n');
    if (end < 0) return 0;
    const head = data.toString('latin1', 0, end);
    this.#handlers.onHead(head);
    this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#left > 0) this.#state = 'counted';
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#state = 'chunk-size';
    else this.#handlers.onEnd();
    return end + 4;
  }

  #takeBody(data: Buffer): number {
    const taken = Math.min(this.#left, data.length);
    this.#left -= taken;
    this.#handlers.onBody(data.subarray(0, taken));
    if (this.#left === 0) {
      const counted = this.#state === 'counted';
      this.#state = counted ? 'head' : 'chunk-end';
      if (counted) this.#handlers.onEnd();
    }
    return taken;
  }

  #takeChunkSize(data: Buffer): number {
    const end = data.indexOf('\r\n');
    if (end < 0) return 0;
    this.#left = Number.parseInt(data.toString('latin1', 0, end), 16);
    this.#state = this.#left > 0 ? 'chunk' : 'trailer';
    return end + 2;
  }

  #takeChunkEnd(data: Buffer): number {
    if (data.length < 2) return 0;
    this.#state = 'chunk-size';
    return 2;
  }

  #takeTrailerLine(data: Buffer): number {
    const end = data.indexOf('\r\n');
    if (end < 0) return 0;
    if (end === 0) {
      this.#state = 'head';
      this.#handlers.onEnd();
    }
    return end + 2;
  }
}
