// A reply that lets no client see the end of a response, nor the begin of one that outlives its stream, before it is known
// where the response is kept: who goes on from it at once finds it.
import { idOfFirstEvent } from '../../protocols/openai-responses/read-id.ts';
import { madeByAnswer, madeByLastEvent, type MadeResponse } from '../../protocols/openai-responses/read-made.ts';
import type { ClientReply } from '../../relay/call.ts';

export class RememberingReply implements ClientReply {
  /** Resolves when everything was handed on. */
  sent: Promise<void> = Promise.resolve();
  /** Set for a stream whose response goes on without it: is told its id, which is then remembered from the start. */
  onNamed: ((id: string) => void) | undefined;
  readonly #reply: ClientReply;
  readonly #remember: (made: MadeResponse) => Promise<void>;
  /** Written while the start is being remembered; undefined when nothing is. */
  #heldBack: Buffer[] | undefined;

  constructor(reply: ClientReply, remember: (made: MadeResponse) => Promise<void>) {
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
    this.#after(madeByAnswer(body), () => this.#reply.sendWhole(status, headers, body));
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
    this.#after({ id, objects: [] }, () => {
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
    this.#after(bytes === undefined ? undefined : madeByLastEvent(bytes), () => this.#reply.end(bytes));
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
  #after(made: MadeResponse | undefined, send: () => void): void {
    if (made !== undefined && (made.id !== undefined || made.objects.length > 0)) {
      const remembered = this.#remember(made);
      this.sent = Promise.allSettled([this.sent, remembered]).then(send);
    } else if (this.#heldBack === undefined) {
      send();
    } else {
      this.sent = this.sent.then(send);
    }
  }
}
