// What an answer or a stream reported of its usage, and what is charged of that.
import { estimateOutput } from '../billing/estimate.ts';
import type { Extras, TokenUsage, ToolLimits, Usage, UsageSource } from '../neutral/usage.ts';

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
