// A price as people type it, what of it goes to the API, and what an example call would cost.
import { price as priceSchema, type Price } from '#contract/prices.ts';
import { divideRounded, formatNano, NANO, parseNano } from '../../lib/decimal.ts';
import { type NamePair, pairsOf, recordOf } from '../../lib/name-pairs.ts';
import { factsOf, type Unit } from './price-units.ts';

export interface PriceDraft {
  unit: Unit;
  fields: Record<string, string>;
  table: NamePair[];
}

export function draftOfPrice(price: Price | null): PriceDraft {
  if (price === null) return { unit: 'tokens', fields: {}, table: [] };
  const { unit, ...rest } = price;
  const fields: Record<string, string> = {};
  let table: NamePair[] = [];
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value === 'string') fields[name] = value;
    else if (value !== undefined) table = pairsOf(value);
  }
  return { unit, fields, table };
}

/** Not yet checked: the contract's schema does that. */
export function bodyOfPrice({ unit, fields, table }: PriceDraft): Record<string, unknown> {
  const facts = factsOf(unit);
  const body: Record<string, unknown> = { unit };
  for (const { name, optional } of facts.fields) {
    const text = (fields[name] ?? '').trim();
    if (text !== '' || optional !== true) body[name] = text;
  }
  const rows = recordOf(table, () => '');
  if (facts.table !== undefined && (facts.table.name === 'resolution' || Object.keys(rows).length > 0))
    body[facts.table.name] = rows;
  return body;
}

export interface Example {
  amount: string;
  arithmetic: string;
}

/** undefined while the price is not yet a price. */
export function workExample(draft: PriceDraft, counts: Record<string, number>, multiplier = '1'): Example | undefined {
  const read = priceSchema.safeParse(bodyOfPrice(draft));
  const factor = parseNano(multiplier);
  if (!read.success || factor === undefined) return undefined;
  const { sum, divisor, words } = partsOf(read.data, (name) => BigInt(Math.max(0, Math.floor(counts[name] ?? 0))));
  const amount = divideRounded(sum * factor, divisor * NANO);
  return { amount: formatNano(amount), arithmetic: multiplier === '1' ? words : `${words} x ${multiplier}` };
}

function partsOf(price: Price, count: (name: string) => bigint): { sum: bigint; divisor: bigint; words: string } {
  const nano = (text: string) => parseNano(text) ?? 0n;
  const million = 1_000_000n;
  switch (price.unit) {
    case 'tokens': {
      const cached = count('cached_input') < count('input') ? count('cached_input') : count('input');
      const parts: [bigint, string, string][] = [
        [count('input') - cached, 'input', price.input],
        [cached, 'cached_input', price.cached_input ?? price.input],
        [count('output'), 'output', price.output],
      ];
      const used = parts.filter(([number]) => number > 0n);
      return {
        sum: used.reduce((sum, [number, , rate]) => sum + number * nano(rate), 0n),
        divisor: million,
        words: `(${used.map(([number, name, rate]) => `${number} ${name} x ${rate}`).join(' + ')}) / 1000000`,
      };
    }
    case 'video_tokens':
      return plain(count('generate'), price.generate, million, 'tokens');
    case 'characters':
      return plain(count('characters'), price.amount, million, 'characters');
    case 'image':
      return plain(count('images'), price.amount, 1n, 'images');
    case 'second':
    case 'audio_second':
      return plain(count('seconds'), price.amount, 1n, 'seconds');
    case 'search':
      return plain(count('searches'), price.amount, 1n, 'searches');
    case 'request':
      return plain(count('requests'), price.amount, 1n, 'requests');
  }

  function plain(number: bigint, rate: string, divisor: bigint, name: string) {
    const words = `${number} ${name} x ${rate}${divisor === 1n ? '' : ` / ${divisor}`}`;
    return { sum: number * nano(rate), divisor, words };
  }
}
