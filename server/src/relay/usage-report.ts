// What an answer or a stream reported of its usage, and what is charged of that: all of it, as far as the request lets the
// figures be true (promise M-10).
import { estimateOutput } from '../billing/estimate.ts';
import type { Extras, TokenUsage, ToolLimits, Usage, UsageSource } from '../neutral/usage.ts';
import type { RelayRequest } from '../protocols/protocol.ts';
import type { BilledRequest } from './billed-request.ts';

export interface Used {
  usage: Usage;
  source: UsageSource;
}

/** What an answer or a stream reported, or let us count. */
export interface UsageReport {
  usage: TokenUsage | undefined;
  /** Output tokens by our own reckoning, for when nothing is reported. */
  output: number;
  source: 'counted' | 'estimated';
  images?: number | undefined;
  /** The length of the audio, where the upstream counts by that. */
  audioMs?: number | undefined;
  /** Usage was reported, but no such counts can be. */
  isDoubtful?: boolean | undefined;
  /** The most output that the request allowed as it was sent; without it, what the request says itself. */
  limit?: (() => number | undefined) | undefined;
  /** The service tiers that the request as it was sent asks for; without it, what the request says itself. */
  tiers?: (() => readonly string[]) | undefined;
  /** How often the request as it was sent lets tools be used. */
  toolLimits?: (() => ToolLimits | undefined) | undefined;
  /** What raises the cost of the call beside its tokens. */
  extras?: Extras | undefined;
}

/** Stands for an output that nobody can count any more. */
export const UNKNOWN_OUTPUT = 2 ** 40;

/** Output tokens in an answer of which only the size is known. */
export function reportBySize(outputBytes: number): Pick<UsageReport, 'output' | 'source'> {
  return { output: estimateOutput(outputBytes), source: 'estimated' };
}

/** Upstreams round up to whole seconds, and encoders pad. */
const MEASURED_SLACK = 1.1;
/** A guess goes by 32 kbit/s; no speech is coded in less than an eighth of that. */
const GUESSED_SLACK = 8;
const ROUNDING_MS = 1_000;

/** What is held for: all that is believed of a sound that was measured; a guess is not held for many times over. */
export function audioMsToHold(audioMs: number): number {
  return Math.ceil(audioMs * MEASURED_SLACK) + ROUNDING_MS;
}

/** As it was reported; undefined when it was not, or when our own measure does not let it be true. */
export function plausibleAudioMs(
  reportedMs: number | undefined,
  { audioMs, audioIsGuessed }: Pick<RelayRequest, 'audioMs' | 'audioIsGuessed'>,
): number | undefined {
  if (reportedMs === undefined || audioMs === undefined || reportedMs <= 0) return undefined;
  const most = audioMs * (audioIsGuessed === true ? GUESSED_SLACK : MEASURED_SLACK) + ROUNDING_MS;
  return reportedMs <= most ? reportedMs : undefined;
}

/** Of an hour of video, or of a text that looks like media. */
const MOST_TOKENS_PER_MEDIA = 1_000_000;
const MOST_TOKENS_ADDED = 50_000;
/** No model takes more. */
const MOST_INPUT_TOKENS = 10_000_000;
const MOST_OUTPUT_TOKENS = 1_000_000;

export interface TokenBounds {
  /** The most that the body of the request can come to. */
  mostInput: number;
  /** May the upstream have read what the body does not hold? Asked only when the input is above the bound. */
  mayAddInput(): boolean;
  /** Output up to this needs no look at the limit. */
  usualOutput: number;
  /** The most output that the request allowed, as it was sent; undefined where no limit was sent. */
  limit(): number | undefined;
  /** Output tokens that reached us, by our own count. */
  delivered: number;
}

export interface LeastTokens {
  /** What the body comes to by our own reckoning; 0 where it may hold nothing that is counted. */
  input(): number;
  /** Output tokens that reached us, by our own count; 0 where the output is no text. */
  delivered: number;
}

/** Could any upstream have used that much? */
export function isPossible({ input, output }: TokenUsage, { choices }: BilledRequest): boolean {
  return input <= MOST_INPUT_TOKENS && output <= MOST_OUTPUT_TOKENS * choices;
}

/** No text has more tokens than bytes; media and what providers add to a prompt are allowed generously (promise M-10). */
export function mostInputOf({ inputBytes, mediaCount, refersElsewhere }: BilledRequest): number {
  if (refersElsewhere === true) return MOST_INPUT_TOKENS;
  return inputBytes + mediaCount * MOST_TOKENS_PER_MEDIA + MOST_TOKENS_ADDED;
}

/**
 * No prompt is empty, and what was delivered was made: a count of 0 against that is none (promises M-09, M-10). The very same
 * object where nothing is missing.
 */
export function atLeastDelivered(usage: TokenUsage, { input, delivered }: LeastTokens): TokenUsage {
  const lacksOutput = usage.output === 0 && delivered > 0;
  const least = usage.input === 0 ? input() : 0;
  if (!lacksOutput && least === 0) return usage;
  return { ...usage, input: usage.input + least, output: lacksOutput ? delivered : usage.output };
}

/**
 * A limit never lowers the charge below what was delivered, and neither does a count of 0. The very same object where
 * everything is believed.
 */
export function plausibleTokens(usage: TokenUsage, bounds: TokenBounds): TokenUsage {
  const output = plausibleOutput(usage.output, bounds);
  if (usage.input > bounds.mostInput && !bounds.mayAddInput()) {
    // What of it was read from a cache is not known any more.
    return { ...usage, ...NO_DETAILS, input: bounds.mostInput, output, reasoning: Math.min(usage.reasoning, output) };
  }
  if (output === usage.output) return usage;
  const { audioOutput, imageOutput, reasoning } = usage;
  return {
    ...usage,
    output,
    audioOutput: Math.min(audioOutput, output),
    imageOutput: Math.min(imageOutput, output),
    reasoning: Math.min(reasoning, output),
  };
}

const NO_DETAILS = { cachedInput: 0, cacheWrite: 0, audioInput: 0, imageInput: 0, audioOutput: 0, imageOutput: 0 };

function plausibleOutput(reported: number, { usualOutput, delivered, limit }: TokenBounds): number {
  if (reported <= usualOutput || reported <= delivered) return reported;
  const most = limit();
  return most === undefined ? reported : Math.min(reported, Math.max(most, delivered));
}
