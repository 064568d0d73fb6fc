// Sees to it that a stretch is measured while the machine's host leaves the cores alone, as far as patience goes: one from
// which it took more is measured again, and the calmest try counts. Whether it is calm decides, never what was measured,
// and the rule is the same for every relay (docs/decisions/2026-11-17-stolen-time.md).
import { readStolen, watchStolen } from '../processes/stolen-time.ts';
import { Figures } from '../report/figures.ts';

/** Of the core that lost most. More would be in the p99 of everybody. */
export const calmShare = 0.01;
const mostTries = 6;

/** Figures of one stretch by their names; undefined when it tells nothing. */
export type Found = Record<string, number> | undefined;

export interface CalmCounts {
  stretches: number;
  /** Of those, the ones that were measured again. */
  repeated: number;
  /** And the ones of which no try was calm. */
  disturbed: number;
}

export class Calm {
  /** What would have counted without any patience. */
  readonly firstTries = new Figures();
  readonly counts: CalmCounts = { stretches: 0, repeated: 0, disturbed: 0 };
  readonly isKnown = readStolen() !== undefined;
  readonly #watch: typeof watchStolen;
  #patienceMs = 0;

  constructor(watch = watchStolen) {
    this.#watch = watch;
  }

  /** So much more may be spent on measuring again. */
  grant(seconds: number): void {
    this.#patienceMs += seconds * 1000;
  }

  async measure(figures: Figures, relay: string, stretch: () => Promise<Found>): Promise<void> {
    let best: { found: NonNullable<Found>; stolen: number } | undefined;
    let tries = 0;
    do {
      const startedAt = performance.now();
      const stolenSince = this.#watch();
      const found = await stretch();
      const stolen = stolenSince();
      if (tries > 0) this.#patienceMs -= performance.now() - startedAt;
      if (found === undefined) break;
      if (tries === 0) add(this.firstTries, relay, found);
      if (best === undefined || stolen < best.stolen) best = { found, stolen };
      tries++;
    } while (best.stolen > calmShare && tries < mostTries && this.#patienceMs > 0);
    if (best === undefined) return;
    add(figures, relay, best.found);
    this.counts.stretches++;
    if (tries > 1) this.counts.repeated++;
    if (best.stolen > calmShare) this.counts.disturbed++;
  }
}

function add(figures: Figures, relay: string, found: NonNullable<Found>): void {
  for (const [measure, value] of Object.entries(found)) figures.add(measure, relay, value);
}
