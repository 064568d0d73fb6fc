// List prices with a markup, and what is left of a price after the list price: exact, in whole billionths as the gateway counts.
import type { Price } from '#contract/prices.ts';
import { divideRounded, formatNano, NANO, parseNano } from '../../../lib/decimal.ts';

/** Fields that are no amounts. */
const KEPT = new Set(['unit', 'resolution', 'factors', 'tiers', 'input_tokens', 'batch']);

/** `markup` in per cent, such as "20"; undefined = it is none. */
export function factorOf(markup: string): bigint | undefined {
  const nano = parseNano(markup.trim() === '' ? '0' : markup);
  return nano === undefined || nano > 10_000n * NANO ? undefined : NANO + nano / 100n;
}

/** Every amount of the price, rounded once; factors and thresholds stay. */
export function scalePrice(price: Price, factor: bigint): Price {
  if (factor === NANO) return price;
  const scale = (name: string, value: unknown): unknown => {
    if (KEPT.has(name)) return value;
    if (typeof value === 'string') return formatNano(divideRounded((parseNano(value) ?? 0n) * factor, NANO));
    if (Array.isArray(value)) return value.map((one: object) => mapFields(one, scale));
    return typeof value === 'object' && value !== null ? mapFields(value, (_, one) => scale('', one)) : value;
  };
  return mapFields(price, scale) as Price;
}

function mapFields(fields: object, change: (name: string, value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(name, value)]));
}

/** Share of the price that is left after the list price, by its main amounts; undefined where they cannot be compared. */
export function marginOf(list: Price | null, price: Price | null): number | undefined {
  if (list === null || price === null || list.unit !== price.unit) return undefined;
  const [cost, sold] = [mainSum(list), mainSum(price)];
  return sold === 0n ? undefined : Number(((sold - cost) * 10_000n) / sold) / 10_000;
}

function mainSum(price: Price): bigint {
  const amounts =
    price.unit === 'tokens'
      ? [price.input, price.output]
      : price.unit === 'video_tokens'
        ? [price.generate, price.video_input]
        : [price.amount];
  return amounts.reduce((sum, amount) => sum + (parseNano(amount) ?? 0n), 0n);
}
