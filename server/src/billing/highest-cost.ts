// The most that a call may come to, before the upstream reports anything: the highest rates, tier and tool uses that can apply
// to it, and the most expensive that its tokens may turn out to be, so that what is held bounds the charge.
import type { Price, TokenPart, TokenRates, TokensPrice } from '../catalogue/prices.ts';
import { AUTO, PLAIN_TIER } from '../neutral/service-tier.ts';
import type { ToolUses } from '../neutral/usage.ts';
import { tierFactor } from './token-charge.ts';
import type { CountedTokens } from './charge.ts';

export interface InputBound {
  /** Input tokens, as they are estimated. */
  input: number;
  /** The input may be longer than that: a part of it is kept or fetched by the upstream. */
  isOpen(): boolean;
}

/** A server-side tool that a request offers to the model. */
export interface OfferedTool {
  name: string;
  /** The request's own limit. */
  mostUses?: number | undefined;
}

/** Held for where the request has no limit of its own. */
const USUAL_USES = 10;
/** Nobody lets a model use one tool more often in one call. */
export const MOST_USES = 1_000;

/** The price with the highest rates that the call can have, whatever its length turns out to be. */
export function highestPrice(price: Price, { input, isOpen }: InputBound): Price {
  if (price.unit !== 'tokens' || price.above === undefined) return price;
  const most = isOpen() ? Infinity : input;
  const longer = price.above.filter(({ inputTokens }) => most > inputTokens);
  const { above: _, ...plain } = price;
  return { ...plain, perMillion: longer.map((one) => one.perMillion).reduce(higherRates, price.perMillion) };
}

/** The tier that costs most of those that may be served; a provider may serve a named one as the plain one. */
export function highestTier(price: TokensPrice, asked: readonly string[] = [AUTO]): string | undefined {
  if (price.tiers === undefined) return undefined;
  const names = asked.includes(AUTO) ? [PLAIN_TIER, ...price.tiers.keys()] : [PLAIN_TIER, ...asked];
  return names.reduce((most, name) => (tierFactor(price, name) > tierFactor(price, most) ? name : most));
}

/** Of tools with a price. */
export function usesToHold(price: TokensPrice, offered: readonly OfferedTool[]): ToolUses | undefined {
  const uses: Record<string, number> = {};
  for (const { name, mostUses = USUAL_USES } of offered) {
    if (price.tools?.has(name) === true) uses[name] = (uses[name] ?? 0) + Math.min(mostUses, MOST_USES);
  }
  return Object.keys(uses).length === 0 ? undefined : uses;
}

/** Part by part; one without a rate of its own costs what its whole costs. */
function higherRates(a: TokenRates, b: TokenRates): TokenRates {
  const rates: TokenRates = { input: larger(a.input, b.input), output: larger(a.output, b.output) };
  for (const part of new Set([...Object.keys(a), ...Object.keys(b)]) as Set<TokenPart>) {
    if (part !== 'input' && part !== 'output') rates[part] = larger(rateOf(a, part), rateOf(b, part));
  }
  return rates;
}

function rateOf(rates: TokenRates, part: TokenPart): bigint {
  return rates[part] ?? (part.endsWith('output') ? rates.output : rates.input);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export type InputPart = 'cache_write' | 'audio_input' | 'image_input';
export type OutputPart = 'audio_output' | 'image_output';

/** What the tokens of a request can be beside plain ones. */
export interface PossibleParts {
  /** The input that is no media. */
  text?: readonly InputPart[];
  media?: readonly InputPart[];
  output?: readonly OutputPart[];
}

interface EstimatedTokens {
  input: number;
  /** The part of the input that is media. */
  mediaInput: number;
  output: number;
}

const DETAILS = {
  cache_write: 'cacheWrite',
  audio_input: 'audioInput',
  image_input: 'imageInput',
  audio_output: 'audioOutput',
  image_output: 'imageOutput',
} as const satisfies Partial<Record<TokenPart, keyof CountedTokens>>;

type Details = Pick<CountedTokens, (typeof DETAILS)[InputPart | OutputPart]>;

/** Counts of what has a rate of its own above the plain one; all else stays plain. */
export function highestDetails(price: Price, { text, media, output }: PossibleParts, tokens: EstimatedTokens): Details {
  const details: Details = {};
  if (price.unit !== 'tokens') return details;
  const add = (part: InputPart | OutputPart | undefined, count: number): void => {
    if (part !== undefined) details[DETAILS[part]] = (details[DETAILS[part]] ?? 0) + count;
  };
  if (text !== undefined) add(highestPart(price, 'input', text), tokens.input - tokens.mediaInput);
  if (media !== undefined) add(highestPart(price, 'input', media), tokens.mediaInput);
  if (output !== undefined) add(highestPart(price, 'output', output), tokens.output);
  return details;
}

/** Does such a token cost more than one of plain input? */
export function costsMore(price: Price, part: InputPart): boolean {
  if (price.unit !== 'tokens') return false;
  const rate = price.perMillion[part];
  return rate !== undefined && rate > price.perMillion.input;
}

/** undefined when none is above the plain one. */
function highestPart<Part extends TokenPart>(
  { perMillion }: TokensPrice,
  plain: 'input' | 'output',
  parts: readonly Part[],
): Part | undefined {
  let found: Part | undefined;
  let highest = perMillion[plain];
  for (const part of parts) {
    const rate: bigint | undefined = perMillion[part];
    if (rate !== undefined && rate > highest) [found, highest] = [part, rate];
  }
  return found;
}
