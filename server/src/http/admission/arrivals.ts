// Lets requests in, so many in a round of the event loop. A connection whose request waits sends no other, so the loop comes
// to its timers and to the calls under way; else it reads on for seconds where more than 1,024 connections ask again at once.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

export interface ArrivalsSettings {
  serve: RequestListener;
  perRound?: number;
  /** Calls back when the event loop has done everything that is ready now. */
  nextRound?(work: () => void): void;
}

/** About 20 ms of refusals. */
const PER_ROUND = 256;

export class Arrivals {
  readonly #settings: Required<ArrivalsSettings>;
  readonly #round = (): void => this.#beginRound();
  #waiting: [IncomingMessage, ServerResponse][] = [];
  /** Since the last round that was called; one is called when there are as many as may be. */
  #begun = 0;

  constructor(settings: ArrivalsSettings) {
    this.#settings = { perRound: PER_ROUND, nextRound: setImmediate, ...settings };
  }

  arrive(request: IncomingMessage, response: ServerResponse): void {
    const { perRound, nextRound, serve } = this.#settings;
    if (this.#begun === perRound) {
      this.#waiting.push([request, response]);
      return;
    }
    if (++this.#begun === perRound) nextRound(this.#round);
    serve(request, response);
  }

  #beginRound(): void {
    const { perRound, nextRound, serve } = this.#settings;
    const next = this.#waiting.splice(0, perRound);
    this.#begun = next.length;
    if (next.length === perRound) nextRound(this.#round);
    for (const [request, response] of next) if (!response.destroyed) serve(request, response);
  }
}
