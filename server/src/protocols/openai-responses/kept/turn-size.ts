// How much one turn of a kept conversation adds to the input of a request that goes on from it, counted as the reader of the
// request counts it.
import { scanAnswer } from '../../json/json-answer.ts';
import { conversationOf } from './continue-response.ts';
import type { KeptResponse } from './kept-response.ts';

export interface TurnSize {
  /** Beside media. */
  inputBytes: number;
  mediaCount: number;
}

export function turnSize(kept: KeptResponse): TurnSize {
  const items = conversationOf([kept]);
  const wrapped = Buffer.from(JSON.stringify({ items }));
  // What cannot be scanned is taken for text.
  const { bytes, count } = scanAnswer(wrapped)?.opaque ?? { bytes: 0, count: 0 };
  // In a longer list another comma stands behind it.
  return { inputBytes: wrapped.length - WRAPPING + 1 - bytes, mediaCount: count };
}

const WRAPPING = JSON.stringify({ items: [] }).length;
