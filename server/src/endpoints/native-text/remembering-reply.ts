// A reply that lets no client see the end of a response, nor the begin of one that outlives its stream, before it is known
// where the response is kept: who goes on from it at once finds it.
import { idOfAnswer, idOfFirstEvent, idOfLastEvent } from '../../protocols/openai-responses/read-id.ts';
import type { ClientReply } from '../../relay/call.ts';

export class RememberingReply implements ClientReply {
  /** Resolves when everything was handed on. */
  sent: Promise<void> = Promise.resolve();
  /** Set for a stream whose response goes on without it: is told its id, which is then remembered from the start. */
  onNamed: ((id: string) => void) | undefined;
  readonly #reply: ClientReply;
  readonly #remember: (id: string) => Promise<void>;
  /** Written while the start is being remembered; undefined when nothing is. */
  #heldBack: Buffer[] | undefined;

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

  setHeader(name: string, value: string | undefined): void {
    this.#reply.setHeader(name, value);
  }

  sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    this.#after(idOfAnswer(body), () => this.#reply.sendWhole(status, headers, body));
  }

  beginStream(contentType?: string): void {
    this.#reply.beginStream(contentType);
  }

  write(bytes: Buffer): boolean {
    if (this.#heldBack !== undefined) {
      this.#heldBack.push(bytes);
      return false;
    }
    const id = this.onNamed === undefined ? undefined : idOfFirstEvent(bytes);
    if (id === undefined) return this.#reply.write(bytes);
    this.onNamed?.(id);
    this.onNamed = undefined;
    this.#heldBack = [bytes];
    this.#after(id, () => {
      for (const held of this.#heldBack ?? []) this.#reply.write(held);
      this.#heldBack = undefined;
    });
    return false;
  }

  onDrain(listener: () => void): void {
    if (this.#heldBack === undefined) this.#reply.onDrain(listener);
    else void this.sent.then(listener);
  }

  end(bytes: Buffer | undefined): void {
    this.#after(bytes === undefined ? undefined : idOfLastEvent(bytes), () => this.#reply.end(bytes));
  }

  forgo(): void {
    this.#reply.forgo();
  }

  breakOff(): void {
    this.#after(undefined, () => this.#reply.breakOff());
  }

  onGone(listener: () => void): void {
    this.#reply.onGone(listener);
  }

  /** The answer is paid for: it goes out even when it could not be remembered. */
  #after(id: string | undefined, send: () => void): void {
    if (id !== undefined) {
      const remembered = this.#remember(id);
      this.sent = Promise.allSettled([this.sent, remembered]).then(send);
    } else if (this.#heldBack === undefined) {
      send();
    } else {
      this.sent = this.sent.then(send);
    }
  }
}
