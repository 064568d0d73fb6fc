// From ratios to prices. In new-api a token costs ratio units, and `QuotaPerUnit` units are one of the currency: a ratio of 1
// is 1,000,000 / 500,000 = 2 per million tokens.
import { formatAmount } from '../../../../server/src/billing/money.ts';
import { price as priceSchema, type Price } from '#contract/prices.ts';
import { exact, type Exact, shown, times, toNano } from '../exact-decimal.ts';
import { builtInCompletion, ratioName } from './built-in-ratios.ts';
import type { Program } from './channels/channel-types.ts';
import type { RatioName, Ratios } from './ratios.ts';

export interface FoundPrice {
  /** null: it cannot be sold yet. */
  price: Price | null;
  /** How it came about, or why there is none. */
  arithmetic: string;
}

const MILLION: Exact = { digits: 1_000_000n, scale: 0 };
const ONE: Exact = { digits: 1n, scale: 0 };
/** Models that return pictures are charged by picture, as the programs do. */
const PICTURES =
  /^(?:dall-e|gpt-image|chatgpt-image|imagen|flux|stable-diffusion|sd-?\d|cogview|wanx|seedream|doubao-seedream|qwen-image|kolors)/i;

export function findPrice(
  model: string,
  { ratios, program, listed }: { ratios: Ratios; program: Program; listed: (model: string) => Price | undefined },
): FoundPrice {
  const find = (name: RatioName): Exact | undefined =>
    ratios.maps[name]?.get(ratioName(model)) ?? ratios.maps[name]?.get(model);
  const fromList = (why: string): FoundPrice => {
    const price = listed(model);
    return price === undefined
      ? { price: null, arithmetic: `${why}, and the public list has no price for it` }
      : { price, arithmetic: `public list price: ${why}` };
  };
  if (ratios.byExpression.has(model)) return fromList('it is billed by an expression there');
  const perCall = find('ModelPrice');
  if (perCall !== undefined) return checked(perCallPrice(model, perCall));
  const ratio = find('ModelRatio');
  if (ratio !== undefined) return checked(tokenPrice(model, ratio, { ratios, program, find, listed }));
  const mayBeBuiltIn = ratios.maps.ModelRatio === undefined || program === 'one-api';
  if (mayBeBuiltIn && !ratios.effective.has(model)) return fromList('its ratio is built into the program, not saved');
  if (ratios.isSelfUse) return fromList('it has no ratio there, and self-use mode is on');
  return { price: null, arithmetic: 'it has no ratio and no price there either' };
}

function perCallPrice(model: string, amount: Exact): FoundPrice {
  const unit = PICTURES.test(model) ? 'image' : 'request';
  return {
    price: { unit, amount: formatAmount(toNano(amount)) },
    arithmetic: `model price ${shown(amount)} per ${unit}`,
  };
}

interface Context {
  ratios: Ratios;
  program: Program;
  find: (name: RatioName) => Exact | undefined;
  listed: (model: string) => Price | undefined;
}

function tokenPrice(model: string, ratio: Exact, { ratios, program, find, listed }: Context): FoundPrice {
  const amount = (...factors: Exact[]): string => formatAmount(toNano(times(...factors, MILLION), ratios.perUnit));
  const completion = completionOf(model, { ratios, program, find });
  const unit = amount(ONE);
  const input = amount(ratio);
  const output = amount(ratio, completion.ratio);
  const steps = [
    `input ${shown(ratio)} x ${unit} = ${input}`,
    `output ${input} x ${shown(completion.ratio)}${completion.note} = ${output}`,
  ];
  const isNewApi = program === 'new-api';
  const more: Record<string, string> = {};
  const add = (field: string, words: string, ...factors: Exact[]): void => {
    more[field] = amount(ratio, ...factors);
    steps.push(`${words} ${input} x ${factors.map(shown).join(' x ')} = ${more[field]}`);
  };
  const cache = find('CacheRatio') ?? (isNewApi ? cacheOfList(model, 'cached_input', { ratios, listed }) : undefined);
  if (cache !== undefined) add('cached_input', 'cached', cache);
  const write = find('CreateCacheRatio') ?? (isNewApi ? cacheWriteOf(model, { ratios, listed }) : undefined);
  if (write !== undefined) add('cache_write', 'cache write', write);
  const image = find('ImageRatio');
  if (image !== undefined) add('image_input', 'image', image);
  const audio = find('AudioRatio');
  const audioOutput = find('AudioCompletionRatio');
  if (audio !== undefined) add('audio_input', 'audio', audio);
  if (audio !== undefined || audioOutput !== undefined)
    add('audio_output', 'audio output', audio ?? ONE, audioOutput ?? ONE);
  return { price: { unit: 'tokens', input, output, ...more }, arithmetic: `${steps.join('; ')} per million` };
}

function completionOf(
  model: string,
  { ratios, program, find }: Pick<Context, 'ratios' | 'program' | 'find'>,
): { ratio: Exact; note: string } {
  const saved = find('CompletionRatio');
  const builtIn = builtInCompletion(program, ratioName(model));
  const counts = saved !== undefined && (!builtIn.isFixed || model.includes('/') || ratios.effective.has(model));
  if (counts) return { ratio: saved, note: '' };
  return { ratio: exact(builtIn.ratio) ?? ONE, note: ' (built in)' };
}

/** Where cache ratios were never saved, those of the public list stand in: the programs have about the same built in. */
function cacheOfList(
  model: string,
  field: 'cached_input' | 'cache_write',
  { ratios, listed }: Pick<Context, 'ratios' | 'listed'>,
): Exact | undefined {
  const isSaved = ratios.maps[field === 'cached_input' ? 'CacheRatio' : 'CreateCacheRatio'] !== undefined;
  const price = isSaved ? undefined : listed(model);
  if (price?.unit !== 'tokens' || Number(price.input) === 0) return undefined;
  const part = price[field];
  return part === undefined || part === null ? undefined : exact(String(Number(part) / Number(price.input)));
}

/** Only Claude reports what was written to a cache; new-api takes 1.25 where nothing is set. */
function cacheWriteOf(model: string, context: Pick<Context, 'ratios' | 'listed'>): Exact | undefined {
  return cacheOfList(model, 'cache_write', context) ?? (/claude/i.test(model) ? { digits: 125n, scale: 2 } : undefined);
}

function checked(found: FoundPrice): FoundPrice {
  if (found.price === null || priceSchema.safeParse(found.price).success) return found;
  return { price: null, arithmetic: `${found.arithmetic}: no amount that can be written here` };
}
