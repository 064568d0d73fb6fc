// What an answer of vectors says: whether it is one, and how many tokens went in. The vectors themselves are never built.
import type { TokenUsage } from '../../neutral/usage.ts';
import { readField } from '../../shared/json-fields.ts';
import { readTokenUsage } from '../openai-chat/read-answer.ts';
import type { WholeAnswer } from '../protocol.ts';
import { scanResult } from '../json/json-answer.ts';

export function readEmbeddingAnswer(bytes: Buffer): WholeAnswer | undefined {
  return readInputAnswer(bytes, 'data');
}

/** Of an answer without tokens, known by this list. */
export function readInputAnswer(bytes: Buffer, list: string): WholeAnswer | undefined {
  const scanned = scanResult(bytes, list);
  if (scanned === undefined) return undefined;
  const { json, hasError } = scanned;
  return { usage: readInputUsage(readField(json, 'usage')), hasError, outputBytes: 0 };
}

/** Usage of a call that gives no tokens back: some upstreams name only the total. */
export function readInputUsage(usage: unknown): TokenUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { prompt_tokens, total_tokens, ...rest } = usage as Record<string, unknown>;
  return readTokenUsage({ ...rest, prompt_tokens: prompt_tokens ?? total_tokens, completion_tokens: 0 });
}
