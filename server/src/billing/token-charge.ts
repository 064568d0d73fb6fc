// What tokens cost, with the arithmetic in words: the rates of the call's length, the factor of its service tier, and
// the uses of server-side tools. Tiers raise the price of tokens only.
import type { TokenPart, TokenRates, TokensPrice } from '../catalogue/token-prices.ts';
import { AUTO, PLAIN_TIER } from '../neutral/service-tier.ts';
import type { Extras } from '../neutral/usage.ts';
import { formatAmount, NANO } from './money.ts';

type Named = { has(name: string): boolean };

/** Something that an upstream reports and the price does not name. */
export interface Unpriced {
  kind: 'tool' | 'tier';
  name: string;
  uses: number;
}

/** Counts of one call; details are parts of `input` or `output`. */
export interface CountedTokens extends Extras {
  input: number;
  output: number;
  cachedInput?: number;
  cacheWrite?: number;
  audioInput?: number;
  audioOutput?: number;
  imageInput?: number;
  imageOutput?: number;
  /** It is a line of a batch. */
  isBatch?: boolean;
}

const MILLION = 1_000_000n;
const PLAIN: ReadonlySet<string> = new Set([AUTO, PLAIN_TIER]);

const INPUT_DETAILS = [
  ['cached_input', 'cachedInput'],
  ['cache_write', 'cacheWrite'],
  ['audio_input', 'audioInput'],
  ['image_input', 'imageInput'],
] as const satisfies Detail[];
const OUTPUT_DETAILS = [
  ['audio_output', 'audioOutput'],
  ['image_output', 'imageOutput'],
] as const satisfies Detail[];

export function tokensFraction(price: TokensPrice, counted: CountedTokens): { numerator: bigint; denominator: bigint } {
  let sum = 0n;
  for (const { count, rate } of partsOf(ratesOf(price, counted.input).perMillion, counted)) sum += BigInt(count) * rate;
  if (counted.isBatch === true && price.batch !== undefined)
    return batchFraction(price, { ...counted, isBatch: false }, price.batch);
  if (price.tiers === undefined && price.tools === undefined) return { numerator: sum, denominator: MILLION };
  const numerator = sum * tierFactor(price, counted.serviceTier) + toolsAmount(price, counted) * MILLION * NANO;
  return { numerator, denominator: MILLION * NANO };
}

/** The factor is for tokens: uses of tools cost in a batch what they cost elsewhere. */
function batchFraction(
  price: TokensPrice,
  counted: CountedTokens,
  factor: bigint,
): { numerator: bigint; denominator: bigint } {
  const { numerator, denominator } = tokensFraction(price, { ...counted, toolUses: undefined });
  const ofTools = toolsAmount(price, counted) * denominator * NANO;
  return { numerator: numerator * factor + ofTools, denominator: denominator * NANO };
}

function toolsAmount(price: TokensPrice, { toolUses = {} }: CountedTokens): bigint {
  let amount = 0n;
  for (const [name, uses] of Object.entries(toolUses)) amount += BigInt(uses) * (price.tools?.get(name) ?? 0n);
  return amount;
}

/** `isSum`: it has to stand in parentheses before it is multiplied. */
export function tokensWords(price: TokensPrice, counted: CountedTokens): { words: string; isSum: boolean } {
  const { perMillion, inputTokens } = ratesOf(price, counted.input);
  let words = '';
  for (const { part, count } of partsOf(perMillion, counted))
    words += `${words === '' ? '' : ' + '}${count} ${part} x ${rateWords(perMillion, part)}`;
  words = `(${words}) / 1000000`;
  if (inputTokens !== undefined) words += ` (above ${inputTokens} input tokens)`;
  const factor = tierFactor(price, counted.serviceTier);
  if (factor !== NANO) words += ` x ${formatAmount(factor)} (tier ${counted.serviceTier ?? PLAIN_TIER})`;
  if (counted.isBatch === true && price.batch !== undefined) words += ` x ${formatAmount(price.batch)} (batch)`;
  let isSum = false;
  for (const [name, uses] of Object.entries(counted.toolUses ?? {})) {
    const rate = price.tools?.get(name);
    if (rate === undefined) continue;
    words += ` + ${uses} ${name} x ${formatAmount(rate)}`;
    isSum = true;
  }
  return { words, isSum };
}

/** What the price does not name. Any tier but the plain one counts. */
export function unpricedOf(price: { tiers?: Named; tools?: Named }, { serviceTier, toolUses }: Extras): Unpriced[] {
  const unpriced: Unpriced[] = [];
  for (const [name, uses] of Object.entries(toolUses ?? {}))
    if (price.tools?.has(name) !== true) unpriced.push({ kind: 'tool', name, uses });
  if (serviceTier !== undefined && !PLAIN.has(serviceTier) && price.tiers?.has(serviceTier) !== true)
    unpriced.push({ kind: 'tier', name: serviceTier, uses: 1 });
  return unpriced;
}

/** The factor of a tier in billionths; one without a price costs what the plain one costs. */
export function tierFactor({ tiers }: TokensPrice, tier: string = PLAIN_TIER): bigint {
  return tiers?.get(tier) ?? NANO;
}

/** By the length of the whole call. */
function ratesOf(price: TokensPrice, input: number): { perMillion: TokenRates; inputTokens?: number } {
  return price.above?.find(({ inputTokens }) => input > inputTokens) ?? price;
}

/** A price is charged by many times before it changes. */
const ratesInWords = new WeakMap<TokenRates, Partial<Record<TokenPart, string>>>();

function rateWords(rates: TokenRates, part: TokenPart): string {
  let words = ratesInWords.get(rates);
  if (words === undefined) ratesInWords.set(rates, (words = {}));
  return (words[part] ??= formatAmount(rates[part] ?? 0n));
}

function partsOf(rates: TokenRates, tokens: CountedTokens): PricedPart[] {
  const parts: PricedPart[] = [];
  split(rates, { part: 'input', count: tokens.input }, INPUT_DETAILS, tokens, parts);
  split(rates, { part: 'output', count: tokens.output }, OUTPUT_DETAILS, tokens, parts);
  return parts;
}

interface PricedPart {
  part: TokenPart;
  count: number;
  rate: bigint;
}

type Detail = readonly [TokenPart, Exclude<keyof CountedTokens, 'input' | 'output' | 'isBatch' | keyof Extras>];

/** Details with a price of their own are taken out of the whole; the rest is charged as plain input or output. */
function split(
  rates: TokenRates,
  whole: { part: 'input' | 'output'; count: number },
  details: readonly Detail[],
  tokens: CountedTokens,
  parts: PricedPart[],
): void {
  const plain: PricedPart = { ...whole, rate: rates[whole.part] };
  parts.push(plain);
  for (const [part, key] of details) {
    const rate = rates[part];
    const taken = Math.min(plain.count, tokens[key] ?? 0);
    if (rate === undefined || taken === 0) continue;
    parts.push({ part, count: taken, rate });
    plain.count -= taken;
  }
}
