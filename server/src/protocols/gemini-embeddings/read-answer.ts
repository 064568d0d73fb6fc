// What an answer of vectors says: whether it is one, and how many tokens went in, which few models tell. The vectors
// themselves are built only for a client of another protocol.
import type { EmbeddingResult } from '../../neutral/embedding.ts';
import type { TokenUsage } from '../../neutral/usage.ts';
import { readField } from '../../shared/json-fields.ts';
import { readUsage } from '../gemini-generate-content/usage.ts';
import { holdsError, scanAnswer } from '../json/json-answer.ts';
import { asList, asRecord, parseRecord } from '../json/json-value.ts';
import type { WholeAnswer } from '../protocol.ts';

export function readEmbeddingAnswer(bytes: Buffer): WholeAnswer | undefined {
  const json = scanAnswer(bytes);
  if (json === undefined) return undefined;
  const hasError = holdsError(json);
  const isAnswer = json.fields.get('embedding')?.kind === 'object' || json.fields.get('embeddings')?.kind === 'array';
  if (!hasError && !isAnswer) return undefined;
  return { usage: readInputUsage(readField(json, 'usageMetadata')), hasError, outputBytes: 0 };
}

export function readResult(body: Buffer): EmbeddingResult | undefined {
  const wire = parseRecord(body);
  const reported = wire?.['embeddings'] ?? (wire?.['embedding'] === undefined ? undefined : [wire['embedding']]);
  if (!Array.isArray(reported)) return undefined;
  const vectors = reported.map((one) => asList(asRecord(one)?.['values']));
  if (!vectors.every(isVector)) return undefined;
  return { vectors, usage: readInputUsage(wire?.['usageMetadata']) };
}

/** Vectors are no tokens, whatever the sum says. */
function readInputUsage(value: unknown): TokenUsage | undefined {
  const usage = readUsage(value);
  return usage === undefined ? undefined : { ...usage, output: 0, audioOutput: 0, imageOutput: 0, reasoning: 0 };
}

function isVector(values: unknown[]): values is number[] {
  return values.length > 0 && values.every((one) => typeof one === 'number');
}
