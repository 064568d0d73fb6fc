// The alphabet of streamed text, in the words of no provider. A good stream is one `start`, then blocks, each begun and
// ended, never nested but possibly interleaved, then one `finish`; an `error` may end it at any point instead.
import type { Citation, Picture, Signature } from './conversation.ts';
import type { Finish } from './generation.ts';
import type { TokenUsage } from './usage.ts';

export type StreamPart =
  | { type: 'start'; id: string | undefined; usage?: TokenUsage | undefined }
  | { type: 'block-start'; index: number; block: BlockStart }
  /** More of the block's text: words, reasoning, a refusal, or JSON text of a tool's arguments. */
  | { type: 'delta'; index: number; text: string }
  /** Of a reasoning block or a tool call, at any time before its end. */
  | { type: 'signature'; index: number; signature: Signature }
  | { type: 'citation'; index: number; citation: Citation }
  | { type: 'block-end'; index: number }
  /** A whole block at once: pictures come in one piece. */
  | { type: 'picture'; index: number; picture: Picture }
  | { type: 'finish'; finish: Finish; usage: TokenUsage | undefined }
  /** `status`: the one that it stands for, where that is known. */
  | { type: 'error'; message: string; code: string | undefined; status?: number | undefined };

export type BlockStart =
  | { type: 'text' }
  | { type: 'refusal' }
  /** `sealed`: nothing to read, only to be sent back. */
  | { type: 'reasoning'; sealed?: Signature }
  /** `isCustom`: the text is free, not JSON. */
  | { type: 'tool-call'; id: string; name: string; isCustom?: true };
