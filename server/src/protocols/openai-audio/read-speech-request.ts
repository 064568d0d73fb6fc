// Reads from a speech request what routing, the hold and the answer's form need (spec 2.9).
import { isMadeVoice, type NamedObject } from '../json/named-objects.ts';
import { readJsonBody, readModel, readValue, requireText } from '../json/json-request.ts';
import type { ReadRequest } from '../protocol.ts';
import { decidingSpeechFields, speechFields } from './wire.ts';

export function readSpeechRequest(bytes: Buffer): ReadRequest {
  const json = readJsonBody(bytes, speechFields, decidingSpeechFields);
  const model = readModel(json);
  const input = requireText(json, 'input');
  const voice = readValue(json, 'voice');
  return {
    json,
    model,
    stream: readValue(json, 'stream_format') === 'sse',
    maxOutputTokens: undefined,
    choices: 1,
    characters: countCharacters(input),
    inputBytes: bytes.length,
    mediaCount: 0,
    namedObjects: () => (typeof voice === 'string' && isMadeVoice(voice) ? voiceAt(voice) : []),
  };
}

function voiceAt(id: string): NamedObject[] {
  return [{ id, field: 'voice', soft: false }];
}

/** Unicode code points: one that takes two units of a string is one character all the same. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) count--;
  }
  return count;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
