// What a realtime session reports to have used: per response, and per transcript of what was heard.
import { NO_USAGE, type TokenUsage } from '../../neutral/usage.ts';
import { asCount, asNumber, asRecord, type JsonRecord } from '../json/json-value.ts';

/** Parts of the input that came from a cache; they are in its other details too. */
export interface CachedMedia {
  audio: number;
  image: number;
}

export interface ResponseUsage {
  usage: TokenUsage | undefined;
  cached: CachedMedia;
  /** Something was reported, but no such counts can be. */
  isDoubtful: boolean;
}

const NONE: CachedMedia = { audio: 0, image: 0 };

export function readResponseUsage(value: unknown): ResponseUsage {
  const fields = asRecord(value);
  if (fields === undefined) return { usage: undefined, cached: NONE, isDoubtful: false };
  const read = counts(fields);
  if (read === undefined) return { usage: undefined, cached: NONE, isDoubtful: true };
  const inputs = asRecord(fields['input_token_details']) ?? {};
  const outputs = asRecord(fields['output_token_details']) ?? {};
  const cached = asRecord(inputs['cached_tokens_details']) ?? {};
  const usage = {
    ...NO_USAGE,
    ...read,
    cachedInput: part(inputs, 'cached_tokens', read.input),
    audioInput: part(inputs, 'audio_tokens', read.input),
    imageInput: part(inputs, 'image_tokens', read.input),
    audioOutput: part(outputs, 'audio_tokens', read.output),
    reasoning: part(outputs, 'reasoning_tokens', read.output),
  };
  const media = {
    audio: part(cached, 'audio_tokens', usage.audioInput),
    image: part(cached, 'image_tokens', usage.imageInput),
  };
  return { usage, cached: media, isDoubtful: false };
}

export type TranscriptUsage =
  | { kind: 'tokens'; usage: TokenUsage }
  | { kind: 'duration'; ms: number }
  | { kind: 'none'; isDoubtful: boolean };

export function readTranscriptUsage(value: unknown): TranscriptUsage {
  const fields = asRecord(value);
  if (fields === undefined) return { kind: 'none', isDoubtful: false };
  if (fields['type'] === 'duration') {
    const seconds = asNumber(fields['seconds']);
    if (seconds === undefined || seconds < 0) return { kind: 'none', isDoubtful: true };
    return { kind: 'duration', ms: Math.ceil(seconds * 1000) };
  }
  const read = counts(fields);
  if (read === undefined) return { kind: 'none', isDoubtful: true };
  const details = asRecord(fields['input_token_details']) ?? {};
  return { kind: 'tokens', usage: { ...NO_USAGE, ...read, audioInput: part(details, 'audio_tokens', read.input) } };
}

function counts(fields: JsonRecord): { input: number; output: number } | undefined {
  const input = asCount(fields['input_tokens']);
  const output = asCount(fields['output_tokens']);
  return input === undefined || output === undefined ? undefined : { input, output };
}

function part(fields: JsonRecord, name: string, most: number): number {
  return Math.min(asCount(fields[name]) ?? 0, most);
}
