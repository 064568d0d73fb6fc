// A reply that lets no client see the end of a response, nor the begin of one that outlives its stream, before it is stored
// where the response is kept: a client that goes on from it at once finds it.
import { idOfFirstEvent } from '../../protocols/openai-responses/read-id.ts';
import { madeByAnswer, madeByLastEvent, type MadeResponse } from '../../protocols/openai-responses/read-made.ts';
import type { ClientReply } from '../../relay/call.ts';
import { ForwardingReply } from '../../relay/forwarding-reply.ts';

/** Finds in an answer what it made and keeps. */
export interface MadeReaders {
  whole(body: Buffer): MadeResponse;
  /** Of the event that ends a stream. */
  last(bytes: Buffer): MadeResponse;
  /** The id in the events that begin a stream. */
  first(bytes: Buffer): string | undefined;
}

const ofResponses: MadeReaders = { whole: madeByAnswer, last: madeByLastEvent, first: idOfFirstEvent };

export class StoringReply extends ForwardingReply {
  /** Resolves when everything was handed on. */
  sent: Promise<void> = Promise.resolve();
  /** Set for a stream whose response goes on without it: called with its id, which is then remembered from the start. */
  onNamed: ((id: string) => void) | undefined;
  readonly #remember: (made: MadeResponse) => Promise<void>;
  readonly #readers: MadeReaders;
  /** Written while the start is being remembered; undefined when nothing is. */
  #heldBack: Buffer[] | undefined;

  constructor(inner: ClientReply, remember: (made: MadeResponse) => Promise<void>, readers = ofResponses) {
    super(inner);
    this.#remember = remember;
    this.#readers = readers;
  }

  override sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    this.#after(this.#readers.whole(body), () => super.sendWhole(status, headers, body));
  }

  override write(bytes: Buffer): boolean {
    if (this.#heldBack !== undefined) {
      this.#heldBack.push(bytes);
      return false;
    }
    const id = this.onNamed === undefined ? undefined : this.#readers.first(bytes);
    if (id === undefined) return super.write(bytes);
    this.onNamed?.(id);
    this.onNamed = undefined;
    this.#heldBack = [bytes];
    this.#after({ id, objects: [] }, () => {
      for (const held of this.#heldBack ?? []) super.write(held);
      this.#heldBack = undefined;
    });
    return false;
  }

  override onDrain(listener: () => void): void {
    if (this.#heldBack === undefined) super.onDrain(listener);
    else void this.sent.then(listener);
  }

  override end(bytes: Buffer | undefined): void {
    this.#after(bytes === undefined ? undefined : this.#readers.last(bytes), () => super.end(bytes));
  }

  override breakOff(): void {
    this.#after(undefined, () => super.breakOff());
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
