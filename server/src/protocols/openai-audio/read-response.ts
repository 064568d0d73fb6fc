// Reads what a whole transcript says: a JSON object with `text`, or the text itself in one of its formats.
import { readField } from '../../shared/json-fields.ts';

import type { WholeAnswer } from '../protocol.ts';
import { readTypedUsage } from '../typed-usage.ts';
import { holdsError, scanAnswer } from '../json-answer.ts';

/** undefined when it is no transcript. */
export function readTranscript(bytes: Buffer, contentType: string): WholeAnswer | undefined {
  if (/^application\/(?:[^;]*\+)?json\b/.test(contentType)) return readJsonTranscript(bytes);
  // Pages of a proxy, and nothing at all, are what an upstream in trouble answers with.
  if (bytes.length === 0 || contentType.startsWith('text/html')) return undefined;
  return { usage: undefined, hasError: false, outputBytes: bytes.length };
}

function readJsonTranscript(bytes: Buffer): WholeAnswer | undefined {
  const json = scanAnswer(bytes);
  if (json === undefined) return undefined;
  const hasError = holdsError(json);
  const text = json.fields.get('text');
  if (!hasError && text?.kind !== 'string') return undefined;
  const outputBytes = text === undefined ? 0 : text.valueEnd - text.valueStart - 2;
  return { usage: readTypedUsage(readField(json, 'usage'), 'text'), hasError, outputBytes: Math.max(0, outputBytes) };
}
