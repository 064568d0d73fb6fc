// The models of an upstream as the connect page shows them: which are ticked, what each is sold for, and what of it is saved.
import type { UpstreamModel } from '#contract/channels.ts';
import { type Price, price as priceSchema } from '#contract/prices.ts';
import type { NamePair } from '../../../lib/name-pairs.ts';
import { scalePrice } from './scale-price.ts';

export interface ModelRow {
  upstream: string;
  /** Public name. */
  name: string;
  ticked: boolean;
  listPrice: Price | null;
  /** What it is sold for already: that stays. */
  here: Price | null;
  /** Typed, where no price is known: per million tokens in and out, or of one unit. */
  typed: { input: string; output: string };
  retiresAt: number | null;
}

/** Models with a price are ticked, unless that would be hundreds. */
const MOST_TICKED = 60;

export function rowsOf(models: readonly UpstreamModel[], units: readonly string[]): ModelRow[] {
  const rows = models.map((model): ModelRow => {
    const listPrice = model.list_price !== null && units.includes(model.list_price.unit) ? model.list_price : null;
    return {
      upstream: model.id,
      name: model.carried_as ?? model.id,
      ticked: false,
      listPrice,
      here: model.price,
      typed: { input: '', output: '' },
      retiresAt: model.retires_at,
    };
  });
  const known = rows.filter((row) => row.listPrice !== null || row.here !== null);
  const ticked = new Set(known.length <= MOST_TICKED ? known : []);
  // What can be sold comes first; the upstream's order stays within.
  const rank = (row: ModelRow): number => Number(row.listPrice === null && row.here === null);
  return rows.map((row) => ({ ...row, ticked: ticked.has(row) })).toSorted((a, b) => rank(a) - rank(b));
}

export function rowOfName(upstream: string): ModelRow {
  const nothing = { listPrice: null, here: null, retiresAt: null };
  return { upstream, name: upstream, ticked: true, typed: { input: '', output: '' }, ...nothing };
}

/** Units that one typed amount can stand for, in the order of what is offered. */
const SINGLE = ['second', 'image', 'request', 'search', 'characters', 'audio_second'] as const;

/** How a price is typed for a kind of upstream; undefined where its prices have too many parts. */
export function typedUnit(units: readonly string[]): 'tokens' | (typeof SINGLE)[number] | undefined {
  return units.includes('tokens') ? 'tokens' : SINGLE.find((unit) => units.includes(unit));
}

/** null = it is not for sale. */
export function priceOf(row: ModelRow, factor: bigint, units: readonly string[]): Price | null {
  if (row.here !== null) return row.here;
  if (row.listPrice !== null) return scalePrice(row.listPrice, factor);
  const unit = typedUnit(units);
  const { input, output } = row.typed;
  if (input.trim() === '' || unit === undefined) return null;
  const typed =
    unit === 'tokens' ? { unit, input: input.trim(), output: output.trim() || '0' } : { unit, amount: input.trim() };
  const checked = priceSchema.safeParse(typed);
  return checked.success ? checked.data : null;
}

/** Was something typed that is no price? */
export function isWrong(row: ModelRow, units: readonly string[]): boolean {
  const isTyped = row.typed.input.trim() !== '' || row.typed.output.trim() !== '';
  return isTyped && row.here === null && row.listPrice === null && priceOf(row, 1_000_000_000n, units) === null;
}

export function ticked(rows: readonly ModelRow[]): ModelRow[] {
  return rows.filter((row) => row.ticked);
}

export function pairsOfRows(rows: readonly ModelRow[]): NamePair[] {
  return ticked(rows).map(({ name, upstream }) => ({ key: name.trim(), value: upstream }));
}

/** Of new models: those that are sold already keep theirs. */
export function pricesOf(rows: readonly ModelRow[], factor: bigint, units: readonly string[]): Record<string, Price> {
  return Object.fromEntries(
    ticked(rows).flatMap((row) => {
      const price = row.here === null ? priceOf(row, factor, units) : null;
      return price === null ? [] : [[row.name.trim(), price]];
    }),
  );
}

/** Public names that two ticked models have. */
export function doubled(rows: readonly ModelRow[]): string[] {
  const names = ticked(rows).map(({ name }) => name.trim());
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

/** The cheapest thing to try: a model that talks, else any. */
export function bestToTest(rows: readonly ModelRow[]): string | undefined {
  const all = ticked(rows);
  const price = (row: ModelRow) => row.here ?? row.listPrice;
  const talking = all.filter((row) => {
    const known = price(row);
    return known?.unit === 'tokens' && Number(known.output) > 0;
  });
  const cost = (row: ModelRow): number => {
    const known = price(row);
    return known?.unit === 'tokens' ? Number(known.output) : Infinity;
  };
  const [cheapest] = talking.toSorted((a, b) => cost(a) - cost(b));
  return (cheapest ?? all[0])?.name.trim();
}
