// Reads what a whole answer says: of a transcript, a JSON object with `text` or the text itself in one of its formats; of
// speech, how much sound there is.
import { readField } from '../../shared/json-fields.ts';
import type { WholeAnswer } from '../protocol.ts';
import { countSoundTokens } from '../stream/relay-bytes.ts';
import { readTypedUsage } from '../stream/typed-usage.ts';
import { scanResult } from '../json/json-answer.ts';

export interface TranscriptAnswer extends WholeAnswer {
  /** How much audio the upstream says it heard, where it counts by that. */
  audioMs?: number;
}

/** More than any upload can hold; a longer one is a fault of the upstream. */
const MAX_SECONDS = 1e6;

const JSON_TYPE = /^application\/(?:[^;]*\+)?json\b/i;
/** Pages of a proxy, and nothing at all, are what an upstream in trouble answers with. */
const PAGE_TYPE = /^text\/html\b/i;
/** By which bytes of an answer become tokens; bytes of sound tell far less. */
const BYTES_PER_TOKEN = 4;

/** undefined when it is no sound but words, or nothing. */
export function readSound(bytes: Buffer, contentType: string): WholeAnswer | undefined {
  if (bytes.length === 0 || JSON_TYPE.test(contentType) || PAGE_TYPE.test(contentType)) return undefined;
  return { usage: undefined, hasError: false, outputBytes: countSoundTokens(bytes.length) * BYTES_PER_TOKEN };
}

/** undefined when it is no transcript. */
export function readTranscript(bytes: Buffer, contentType: string): TranscriptAnswer | undefined {
  if (JSON_TYPE.test(contentType)) return readJsonTranscript(bytes);
  if (bytes.length === 0 || PAGE_TYPE.test(contentType)) return undefined;
  return { usage: undefined, hasError: false, outputBytes: bytes.length };
}

function readJsonTranscript(bytes: Buffer): TranscriptAnswer | undefined {
  const scanned = scanResult(bytes, 'text', 'string');
  if (scanned === undefined) return undefined;
  const { json, hasError, result: text } = scanned;
  const outputBytes = text === undefined ? 0 : text.valueEnd - text.valueStart - 2;
  const usage = readField(json, 'usage');
  const audioMs = readDuration(usage);
  return {
    usage: readTypedUsage(usage, 'text'),
    hasError,
    outputBytes: Math.max(0, outputBytes),
    ...(audioMs !== undefined && { audioMs }),
  };
}

/** `{"type":"duration","seconds":n}` in milliseconds; what cannot be true counts as not reported. */
function readDuration(usage: unknown): number | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { type, seconds } = usage as Record<string, unknown>;
  if (type !== 'duration' || typeof seconds !== 'number') return undefined;
  return seconds > 0 && seconds <= MAX_SECONDS ? Math.round(seconds * 1000) : undefined;
}
