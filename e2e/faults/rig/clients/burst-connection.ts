// One keep-alive connection that asks for whole answers, one after another, with as little work as possible: what is to be
// measured is the gateway, not its client.
import { connect, type Socket } from 'node:net';
import type { JournalEntry } from '../../chat-client.ts';

export interface BurstTarget {
  port: number;
  key: string;
  model: string;
}

interface Awaited {
  maxTokens: number;
  startedAt: number;
  resolve(entry: JournalEntry): void;
}

const HEAD_END = '\r\n\r\n';

export class BurstConnection {
  readonly #target: BurstTarget;
  #socket: Socket | undefined;
  #bytes: Buffer[] = [];
  #awaited: Awaited | undefined;

  constructor(target: BurstTarget) {
    this.#target = target;
  }

  /** One at a time. Never rejects. */
  call(maxTokens: number): Promise<JournalEntry> {
    return new Promise((resolve) => {
      this.#awaited = { maxTokens, startedAt: performance.now(), resolve };
      const { key, model } = this.#target;
      const body = `{"model":"${model}","max_tokens":${maxTokens},"messages":[{"role":"user","content":"Tell me."}]}`;
      this.#socket ??= this.#open();
      this.#socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect(this.#target.port, '127.0.0.1').setNoDelay(true);
    this.#bytes = [];
    let reason = 'the connection was closed';
    socket.on('error', ({ message }) => (reason = message));
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('close', () => {
      if (this.#socket !== socket) return; // left, and the next call has another
      this.#socket = undefined;
      this.#answer('', reason);
    });
    return socket;
  }

  #read(chunk: Buffer): void {
    this.#bytes.push(chunk);
    const text = Buffer.concat(this.#bytes).toString('latin1');
    const headEnd = text.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const [, length] = /content-length: (\d+)/i.exec(text) ?? [];
    if (text.length < headEnd + HEAD_END.length + Number(length)) return;
    this.#bytes = [];
    if (/^connection: close/im.test(text.slice(0, headEnd))) this.#leave();
    this.#answer(text, undefined);
  }

  #leave(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #answer(text: string, failure: string | undefined): void {
    const awaited = this.#awaited;
    if (awaited === undefined) return;
    this.#awaited = undefined;
    const numberOf = (pattern: RegExp): number | undefined => {
      const [, value] = pattern.exec(text) ?? [];
      return value === undefined ? undefined : Number(value);
    };
    const output = numberOf(/"completion_tokens":(\d+)/);
    awaited.resolve({
      maxTokens: awaited.maxTokens,
      stream: false,
      requestId: /^x-request-id: (\S+)/im.exec(text)?.[1],
      status: numberOf(/^HTTP\/1.1 (\d+)/),
      code: /"code":"(\w+)"/.exec(text)?.[1],
      retryAfter: numberOf(/^retry-after: (\d+)/im),
      complete: failure === undefined,
      usage:
        output === undefined
          ? undefined
          : {
              input: numberOf(/"prompt_tokens":(\d+)/) ?? 0,
              cached: numberOf(/"cached_tokens":(\d+)/) ?? 0,
              output,
            },
      bytes: text.length,
      failure,
      milliseconds: performance.now() - awaited.startedAt,
    });
  }
}
