// Prices of tokens: rates per million, higher ones for long calls, factors by service tier and for batches, amounts per use of a
// server-side tool (contract 6, contract-2 9).
import { toolName } from '../neutral/server-tool.ts';
import { readTier } from '../neutral/service-tier.ts';

const OPTIONAL_PARTS = [
  'cached_input',
  'cache_write',
  'audio_input',
  'audio_output',
  'image_input',
  'image_output',
] as const;

export type TokenPart = 'input' | 'output' | (typeof OPTIONAL_PARTS)[number];

/** Nano-units per million tokens; a part without a rate of its own is charged as input or output. */
export type TokenRates = { input: bigint; output: bigint } & Partial<Record<TokenPart, bigint>>;

export interface LongContext {
  /** A call with more input tokens than this has these rates, all of it. */
  inputTokens: number;
  perMillion: TokenRates;
}

export interface TokensPrice {
  unit: 'tokens';
  perMillion: TokenRates;
  /** The largest threshold first. */
  above?: readonly LongContext[];
  /** Factors in billionths, by the tier's name in small letters. */
  tiers?: ReadonlyMap<string, bigint>;
  /** Nano-units per use, by the tool's name in small letters. */
  tools?: ReadonlyMap<string, bigint>;
  /** Factor in billionths for the tokens of a batch; as any other call where it is absent. */
  batch?: bigint;
}

/** 1. */
const NO_FACTOR = 1_000_000_000n;

type Fields = Readonly<Record<string, unknown>>;
type ReadAmount = (value: unknown) => bigint | undefined;

/** undefined when it cannot be understood. */
export function readTokensPrice(fields: Fields, readAmount: ReadAmount): TokensPrice | undefined {
  const perMillion = readRates(fields, readAmount);
  const above = readAbove(fields['above'] ?? [], perMillion, readAmount);
  const tiers = readNamed(fields['tiers'] ?? {}, readAmount, (name) => readTier(name) ?? '');
  const tools = readNamed(fields['tools'] ?? {}, readAmount, toolName);
  const batch = fields['batch'] === undefined || fields['batch'] === null ? NO_FACTOR : readAmount(fields['batch']);
  if (perMillion === undefined || above === undefined || tiers === undefined || tools === undefined) return undefined;
  if (batch === undefined) return undefined;
  return {
    unit: 'tokens',
    perMillion,
    ...(above.length > 0 && { above }),
    ...(tiers.size > 0 && { tiers }),
    ...(tools.size > 0 && { tools }),
    ...(batch !== NO_FACTOR && { batch }),
  };
}

/** A part that is absent has the rate of `base`, where that has one. */
function readRates(fields: Fields, readAmount: ReadAmount, base?: TokenRates): TokenRates | undefined {
  const input = readAmount(fields['input'] ?? undefined);
  const output = readAmount(fields['output'] ?? undefined);
  if (input === undefined || output === undefined) return undefined;
  const rates: TokenRates = { ...base, input, output };
  for (const part of OPTIONAL_PARTS) {
    if (fields[part] === undefined || fields[part] === null) continue;
    const amount = readAmount(fields[part]);
    if (amount === undefined) return undefined;
    rates[part] = amount;
  }
  return rates;
}

function readAbove(list: unknown, base: TokenRates | undefined, readAmount: ReadAmount): LongContext[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const above: LongContext[] = [];
  for (const one of list as unknown[]) {
    if (typeof one !== 'object' || one === null) return undefined;
    const { input_tokens: inputTokens } = one as Fields;
    const perMillion = readRates(one as Fields, readAmount, base);
    if (perMillion === undefined || !Number.isSafeInteger(inputTokens)) return undefined;
    above.push({ inputTokens: inputTokens as number, perMillion });
  }
  return above.sort((a, b) => b.inputTokens - a.inputTokens);
}

/** By the names that requests and answers are read with; of two that are one, the more expensive one counts. */
function readNamed(
  table: unknown,
  readAmount: ReadAmount,
  toName: (name: string) => string,
): ReadonlyMap<string, bigint> | undefined {
  if (typeof table !== 'object' || table === null) return undefined;
  const named = new Map<string, bigint>();
  for (const [name, value] of Object.entries(table)) {
    const amount = readAmount(value);
    if (amount === undefined) return undefined;
    const known = toName(name);
    const before = named.get(known);
    named.set(known, before !== undefined && before > amount ? before : amount);
  }
  return named;
}
