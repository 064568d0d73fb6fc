// Reads the body of a speech request.
import {
  checkBody,
  checkModelName,
  checkNumber,
  checkOneOf,
  checkText,
  refuseMissing,
} from '../../fields/check-fields.ts';
import { isObject, refuse } from '../../fields/refuse.ts';

export type SpeechRequest = {
  model: string;
  input: string;
  format: 'mp3' | 'wav' | 'pcm';
  speed: number;
  stream: boolean;
};

const inputLimit = 4096;
const realFormats = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
const madeFormats = ['mp3', 'wav', 'pcm'] as const;

export function readSpeechRequest(given: unknown): SpeechRequest {
  const body = checkBody(given);
  const model = checkModelName(body['model']);
  const input = checkText(body['input'], 'input') ?? refuseMissing('input');
  if (input === '') refuse('input', "Invalid 'input': empty string.", 'string_below_min_length');
  if (input.length > inputLimit) {
    refuse('input', `Invalid 'input': string too long. Expected at most ${inputLimit}.`, 'string_above_max_length');
  }
  checkVoice(body['voice']);
  checkText(body['instructions'], 'instructions');
  const asked = checkOneOf(body['response_format'], 'response_format', realFormats) ?? 'mp3';
  const format = madeFormats.find((one) => one === asked);
  if (format === undefined) {
    const message = `The sandbox makes no ${asked}, only '${madeFormats.join("', '")}'.`;
    refuse('response_format', message, 'invalid_value');
  }
  return {
    model,
    input,
    format,
    speed: checkNumber(body['speed'], 'speed', { least: 0.25, most: 4 }) ?? 1,
    stream: checkOneOf(body['stream_format'], 'stream_format', ['sse', 'audio']) === 'sse',
  };
}

function checkVoice(voice: unknown): void {
  if (voice === undefined || voice === null || voice === '') refuseMissing('voice');
  const name = isObject(voice) ? voice['id'] : voice;
  if (typeof name !== 'string') refuse('voice', "Invalid type for 'voice': expected a string.");
}
