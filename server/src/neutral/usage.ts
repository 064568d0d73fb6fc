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

/** Who counted: the provider, we while relaying, or nobody, so that size stands in for a count. */
export type UsageSource = 'upstream' | 'counted' | 'estimated';
