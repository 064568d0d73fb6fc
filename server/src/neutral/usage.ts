// How much was used, in the words of no provider. Details are parts of `input` or `output`, never added to them.
export interface TokenUsage {
  input: number;
  output: number;
  cachedInput: number;
  cacheWrite: number;
  audioInput: number;
  audioOutput: number;
  imageInput: number;
  imageOutput: number;
  reasoning: number;
}

export const NO_USAGE: TokenUsage = {
  input: 0,
  output: 0,
  cachedInput: 0,
  cacheWrite: 0,
  audioInput: 0,
  audioOutput: 0,
  imageInput: 0,
  imageOutput: 0,
  reasoning: 0,
};

/** Uses of tools that run at the provider, by the tool's name. */
export type ToolUses = Readonly<Record<string, number>>;

/** How often a request lets tools be used that run at the provider. */
export interface ToolLimits {
  /** By the tool's name; one that is not here has no limit of its own. */
  each: ToolUses;
  /** Of all of them together. */
  total?: number | undefined;
}

/** What raises the cost of a call beside its tokens, as the upstream reports it. */
export interface Extras {
  serviceTier?: string | undefined;
  toolUses?: ToolUses | undefined;
}

/** Everything a call can be charged by. What does not apply to it is 0. */
export interface Usage extends TokenUsage, Extras {
  images: number;
  /** Characters of text to speak. */
  characters: number;
  /** Length of the audio that was sent. */
  audioMs: number;
  searches: number;
}

export const NOTHING: Usage = { ...NO_USAGE, images: 0, characters: 0, audioMs: 0, searches: 0 };

/**
 * Who counted: the provider, we while relaying, or nobody, so that size stands in for a count. `bounded`: the provider reported
 * what cannot be true, and what is charged is as much of it as can be.
 */
export type UsageSource = 'upstream' | 'counted' | 'estimated' | 'bounded';
