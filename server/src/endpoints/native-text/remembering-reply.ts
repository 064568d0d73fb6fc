// A reply that lets no client see the end of a response before it is known where the response is kept: who goes on from it
// at once finds it.
import { idOfAnswer, idOfLastEvent } from '../../protocols/openai-responses/read-id.ts';
import type { ClientReply } from '../../relay/call.ts';

export class RememberingReply implements ClientReply {
  /** Resolves when everything was handed on. */
  sent: Promise<void> = Promise.resolve();
  readonly #reply: ClientReply;
  readonly #remember: (id: string) => Promise<void>;

  constructor(reply: ClientReply, remember: (id: string) => Promise<void>) {
    this.#reply = reply;
    this.#remember = remember;
  }

  get begun(): boolean {
    return this.#reply.begun;
  }

  get gone(): boolean {
    return this.#reply.gone;
  }

  sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    this.#after(idOfAnswer(body), () => this.#reply.sendWhole(status, headers, body));
  }

  beginStream(contentType?: string): void {
    this.#reply.beginStream(contentType);
  }

  write(bytes: Buffer): boolean {
    return this.#reply.write(bytes);
  }

  onDrain(listener: () => void): void {
    this.#reply.onDrain(listener);
  }

  end(bytes: Buffer | undefined): void {
    this.#after(bytes === undefined ? undefined : idOfLastEvent(bytes), () => this.#reply.end(bytes));
  }

  breakOff(): void {
    this.#reply.breakOff();
  }

  onGone(listener: () => void): void {
    this.#reply.onGone(listener);
  }

  /** The answer is paid for: it goes out even when it could not be remembered. */
  #after(id: string | undefined, send: () => void): void {
    if (id === undefined) return send();
    this.sent = this.#remember(id).then(send, send);
  }
}
