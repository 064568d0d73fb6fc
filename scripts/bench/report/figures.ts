// The raw figures of a run, one number per measure, relay and round, and the few statistics the report needs.
// Multiples are made round by round, because two phases of one round met the same state of the machine.

export interface Spread {
  median: number;
  least: number;
  most: number;
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  return { median: quantile(values, 0.5), least: Math.min(...values), most: Math.max(...values) };
}

function divide(values: readonly number[], divisors: readonly number[]): number[] {
  return values.flatMap((value, round) => {
    const divisor = divisors[round];
    return divisor === undefined || divisor === 0 ? [] : [value / divisor];
  });
}

export class Figures {
  readonly #values = new Map<string, Map<string, number[]>>();

  add(measure: string, relay: string, value: number): void {
    if (!Number.isFinite(value)) return;
    const relays = this.#values.get(measure) ?? new Map<string, number[]>();
    this.#values.set(measure, relays.set(relay, [...(relays.get(relay) ?? []), value]));
  }

  of(measure: string, relay: string): readonly number[] {
    return this.#values.get(measure)?.get(relay) ?? [];
  }

  /** One relay's figures divided by another's, round by round. */
  ratio(measure: string, relay: string, yardstick: string): number[] {
    return divide(this.of(measure, relay), this.of(measure, yardstick));
  }

  /** One measure of a relay divided by another one of the same relay, round by round. */
  multiple(measure: string, base: string, relay: string): number[] {
    return divide(this.of(measure, relay), this.of(base, relay));
  }

  /** One relay's figures less another's, round by round. */
  added(measure: string, relay: string, base: string): number[] {
    const below = this.of(measure, base);
    return this.of(measure, relay).flatMap((value, round) => {
      const other = below[round];
      return other === undefined ? [] : [value - other];
    });
  }

  toJSON(): object {
    return Object.fromEntries([...this.#values].map(([measure, relays]) => [measure, Object.fromEntries(relays)]));
  }
}
