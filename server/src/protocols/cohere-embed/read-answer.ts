// What an answer of /v2/embed says: whether it is one, and how many tokens went in.
import { NO_USAGE, type TokenUsage } from '../../neutral/usage.ts';
import { readField } from '../../shared/json-fields.ts';
import { scanAnswer } from '../json/json-answer.ts';
import { asRecord } from '../json/json-value.ts';
import type { WholeAnswer } from '../protocol.ts';
import { believable } from '../stream/merge-counts.ts';

export function readEmbedAnswer(bytes: Buffer): WholeAnswer | undefined {
  const json = scanAnswer(bytes);
  const embeddings = json?.fields.get('embeddings');
  if (json === undefined || (embeddings?.kind !== 'object' && embeddings?.kind !== 'array')) return undefined;
  return { usage: readMetaUsage(readField(json, 'meta')), hasError: false, outputBytes: 0 };
}

/** Pictures are counted apart, and are input too. */
function readMetaUsage(meta: unknown): TokenUsage | undefined {
  const billed = asRecord(asRecord(meta)?.['billed_units']);
  const texts = believable(billed?.['input_tokens']);
  const pictures = believable(billed?.['image_tokens']);
  if (texts === undefined && pictures === undefined) return undefined;
  return { ...NO_USAGE, input: (texts ?? 0) + (pictures ?? 0), imageInput: pictures ?? 0 };
}
