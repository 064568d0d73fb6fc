// What an example call would cost by a price that is being typed, worked out and written as the gateway would.
import { price as priceSchema, type Price } from '#contract/prices.ts';
import { t } from '../../i18n/t.ts';
import { divideRounded, formatNano, NANO, parseNano } from '../../lib/decimal.ts';
import type { NamePair } from '../../lib/name-pairs.ts';
import { bodyOfPrice, type PriceDraft } from './price-draft.ts';
import { factsOf, ratesOf } from './price-units.ts';

type TokensPrice = Extract<Price, { unit: 'tokens' }>;

export interface Example {
  amount: string;
  arithmetic: string;
}

interface Worked {
  sum: bigint;
  divisor: bigint;
  words: string;
}

const MILLION = 1_000_000n;
/** Sizes that the table does not name. */
const OTHERS = t('any other');
const PLAIN_TIER = 'default';
const INPUT_DETAILS = ['cached_input', 'cache_write', 'audio_input', 'image_input'] as const;
const OUTPUT_DETAILS = ['audio_output', 'image_output'] as const;

type Count = [name: string, label: string, count: number];

/** What can be counted in the example: parts without a price of their own make no difference. */
export function countsOf({ unit, fields, tables }: PriceDraft): Count[] {
  const facts = factsOf(unit);
  const priced = ratesOf(facts).filter(({ name, optional }) => optional === true && (fields[name] ?? '').trim() !== '');
  const tools = (unit === 'tokens' ? namesOf(tables['tools']) : []).map((name): Count => [`tools ${name}`, name, 0]);
  return [
    ...facts.counts,
    ...priced.map(({ name, label }): Count => [name, t('{label} of it', { label }), 0]),
    ...tools,
  ];
}

/** Names of the rows of the price's own table, or of its tiers: each costs something else. */
export function kindsOf({ unit, tables }: PriceDraft): string[] {
  if (unit === 'video_tokens') return ['generate', 'video_input'];
  if (unit === 'second') return namesOf(tables['resolution']);
  const named = namesOf(tables[unit === 'tokens' ? 'tiers' : 'by']);
  if (named.length === 0) return [];
  return unit === 'tokens' ? [PLAIN_TIER, ...named] : [...named, OTHERS];
}

function namesOf(pairs: NamePair[] = []): string[] {
  return pairs.map(({ key }) => key.trim()).filter((key) => key !== '');
}

/** undefined while the price is not yet a price. */
export function workExample(draft: PriceDraft, counts: Record<string, number>, kind?: string): Example | undefined {
  const read = priceSchema.safeParse(bodyOfPrice(draft));
  if (!read.success) return undefined;
  const count = (name: string) => BigInt(Math.max(0, Math.floor(counts[name] ?? 0)));
  const { sum, divisor, words } = workOut(read.data, count, kind);
  return { amount: formatNano(divideRounded(sum, divisor)), arithmetic: words };
}

function workOut(price: Price, count: (name: string) => bigint, kind: string | undefined): Worked {
  switch (price.unit) {
    case 'tokens':
      return withExtras(price, tokens(price, count), { count, tier: kind });
    case 'video_tokens': {
      const tier = kind === 'video_input' ? kind : 'generate';
      const words = `${count('generate')} tokens x ${price[tier]} (${tier}) / ${MILLION}`;
      return { sum: count('generate') * nano(price[tier]), divisor: MILLION, words };
    }
    case 'second': {
      const coefficient = price.resolution?.[kind ?? ''] ?? '1';
      const words = `${count('seconds')} seconds x ${price.amount} x ${coefficient}${kind === undefined ? '' : ` (${kind})`}`;
      return { sum: count('seconds') * nano(price.amount) * nano(coefficient), divisor: NANO, words };
    }
    case 'image': {
      const own = price.by?.[kind ?? ''];
      return plain(count('images'), own ?? price.amount, 1n, own === undefined ? 'images' : `images of ${kind}`);
    }
    case 'characters':
      return plain(count('characters'), price.amount, MILLION, 'characters');
    case 'audio_second':
      return plain(count('seconds'), price.amount, 1n, 'seconds');
    case 'search':
      return plain(count('searches'), price.amount, 1n, 'searches');
    case 'reported':
      return plain(count('units'), price.amount, 1n, 'units');
    case 'request':
      return plain(count('requests'), price.amount, 1n, 'requests');
  }
}

/** The factor of the tier, then the uses of tools, which no tier raises. */
function withExtras(
  { tiers, tools }: TokensPrice,
  worked: Worked,
  { count, tier = PLAIN_TIER }: { count: (name: string) => bigint; tier: string | undefined },
): Worked {
  const factor = tiers?.[tier] ?? '1';
  let { words } = worked;
  if (nano(factor) !== NANO) words += ` x ${factor} (tier ${tier})`;
  let sum = worked.sum * nano(factor);
  const divisor = worked.divisor * NANO;
  for (const [name, amount] of Object.entries(tools ?? {})) {
    const uses = count(`tools ${name}`);
    if (uses === 0n) continue;
    words += ` + ${uses} ${name} x ${amount}`;
    sum += uses * nano(amount) * divisor;
  }
  return { sum, divisor, words };
}

/** Details with a price of their own are taken out of the whole. */
function tokens(price: TokensPrice, count: (name: string) => bigint): Worked {
  const longer = [...(price.above ?? [])].sort((a, b) => b.input_tokens - a.input_tokens);
  const long = longer.find(({ input_tokens }) => count('input') > BigInt(input_tokens));
  const rates = { ...price, ...Object.fromEntries(Object.entries(long ?? {}).filter(([, value]) => value !== null)) };
  const parts: { name: string; number: bigint; rate: string }[] = [];
  for (const [whole, details] of [
    ['input', INPUT_DETAILS],
    ['output', OUTPUT_DETAILS],
  ] as const) {
    const rest = { name: whole, number: count(whole), rate: rates[whole] };
    parts.push(rest);
    for (const name of details) {
      const rate = rates[name];
      const number = count(name) < rest.number ? count(name) : rest.number;
      if (rate === undefined || rate === null || number === 0n) continue;
      parts.push({ name, number, rate });
      rest.number -= number;
    }
  }
  return {
    sum: parts.reduce((sum, { number, rate }) => sum + number * nano(rate), 0n),
    divisor: MILLION,
    words: `(${parts.map(({ name, number, rate }) => `${number} ${name} x ${rate}`).join(' + ')}) / ${MILLION}${long === undefined ? '' : ` (above ${long.input_tokens} input tokens)`}`,
  };
}

function plain(number: bigint, rate: string, divisor: bigint, name: string): Worked {
  const words = `${number} ${name} x ${rate}${divisor === 1n ? '' : ` / ${divisor}`}`;
  return { sum: number * nano(rate), divisor, words };
}

function nano(text: string): bigint {
  return parseNano(text) ?? 0n;
}
