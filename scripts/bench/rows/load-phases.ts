// LoadPhases of load, each measured once, and how much of them the machine's host took away
// (docs/decisions/2026-11-17-stolen-time.md).
import { readStolen, watchStolen } from '../processes/stolen-time.ts';
import type { Figures } from '../report/figures.ts';

/** Of the core that lost most. More shows in the p99 of everybody. */
export const disturbedFrom = 0.01;

/** Figures of one phase by their names; undefined when it gives no figure. */
export type Found = Record<string, number> | undefined;

export class LoadPhases {
  readonly isKnown = readStolen() !== undefined;
  count = 0;
  /** Of those, the ones of which the host took more than a core can lose unseen. */
  disturbed = 0;
  /** The largest part that was taken. */
  worst = 0;
  readonly #watch: typeof watchStolen;

  constructor(watch = watchStolen) {
    this.#watch = watch;
  }

  async measure(figures: Figures, relay: string, phase: () => Promise<Found>): Promise<void> {
    const stolenSince = this.#watch();
    const found = await phase();
    const stolen = stolenSince();
    if (found === undefined) return;
    for (const [measure, value] of Object.entries(found)) figures.add(measure, relay, value);
    this.count++;
    if (stolen > disturbedFrom) this.disturbed++;
    this.worst = Math.max(this.worst, stolen);
  }
}
