// A request for vectors and its result, in the words of no provider.
import type { TokenUsage } from './usage.ts';

export interface EmbeddingRequest {
  model: string;
  /** One vector each; never empty. */
  texts: string[];
  dimensions?: number;
  /** How the caller wants its numbers: written out, or the bytes of 32-bit floats in base64. */
  encoding: 'float' | 'base64';
  /** All of them, where the caller wants several at once. */
  encodings?: readonly ('float' | 'base64')[];
  /** Fields that the neutral form has no place for, in the caller's own names. */
  unknown: string[];
}

export interface EmbeddingResult {
  /** In the order of the texts. */
  vectors: number[][];
  usage: TokenUsage | undefined;
}

const BYTES_PER_TOKEN = 4;

/** The likely tokens of a request whose upstream never said. */
export function estimateTexts(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN), 0);
}
