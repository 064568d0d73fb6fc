// Lets requests in, so many in a round of the event loop. A connection whose request waits sends no other, so the loop comes
// to its timers and to the calls under way; else it reads on for seconds where more than 1,024 connections ask again at once.
export interface ArrivalsSettings<A> {
  serve(arrival: A): void;
  perRound?: number;
  /** Calls back when the event loop has done everything that is ready now. */
  nextRound?(work: () => void): void;
}

/** About 20 ms of refusals. */
const PER_ROUND = 256;

export class Arrivals<A extends { response: { destroyed: boolean } }> {
  readonly #settings: Required<ArrivalsSettings<A>>;
  readonly #round = (): void => this.#beginRound();
  #waiting: A[] = [];
  /** Since the last round that was called; one is called when there are as many as may be. */
  #begun = 0;

  constructor(settings: ArrivalsSettings<A>) {
    this.#settings = { perRound: PER_ROUND, nextRound: setImmediate, ...settings };
  }

  arrive(arrival: A): void {
    const { perRound, nextRound, serve } = this.#settings;
    if (this.#begun === perRound) {
      this.#waiting.push(arrival);
      return;
    }
    if (++this.#begun === perRound) nextRound(this.#round);
    serve(arrival);
  }

  #beginRound(): void {
    const { perRound, nextRound, serve } = this.#settings;
    const next = this.#waiting.splice(0, perRound);
    this.#begun = next.length;
    if (next.length === perRound) nextRound(this.#round);
    for (const arrival of next) if (!arrival.response.destroyed) serve(arrival);
  }
}
