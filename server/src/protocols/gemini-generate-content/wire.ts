// The fields of a generate-content request that have a fixed type. All others are passed on unread, and null always counts
// as absent. https://ai.google.dev/api/generate-content
import type { SettingPaths } from '../../neutral/generation.ts';
import {
  ANY,
  ARRAY,
  BOOLEAN,
  INTEGER,
  NUMBER,
  OBJECT,
  STRING,
  STRING_OR_OBJECT,
  STRINGS,
  type WireField,
} from '../json/json-request.ts';
import { inBothSpellings } from './spelling.ts';

/** Name of the protocol, as signatures carry it. */
export const NAME = 'gemini-generate-content';

/** The protocol takes one object for a list of one. */
const LIST: WireField = { kinds: ['array', 'object'], expected: 'an array' };

export const contentFields = inBothSpellings([
  ['model', STRING],
  ['contents', ARRAY],
  ['systemInstruction', STRING_OR_OBJECT],
  ['tools', LIST],
  ['toolConfig', OBJECT],
  ['generationConfig', OBJECT],
  ['safetySettings', LIST],
  ['cachedContent', STRING],
  ['labels', OBJECT],
  ['serviceTier', STRING],
]);

export const configFields = inBothSpellings([
  ['maxOutputTokens', INTEGER],
  ['candidateCount', INTEGER],
  ['temperature', NUMBER],
  ['topP', NUMBER],
  ['topK', NUMBER],
  ['seed', INTEGER],
  ['presencePenalty', NUMBER],
  ['frequencyPenalty', NUMBER],
  ['stopSequences', STRINGS],
  ['responseMimeType', STRING],
  ['responseSchema', OBJECT],
  ['responseJsonSchema', ANY],
  ['responseModalities', STRINGS],
  ['responseLogprobs', BOOLEAN],
  ['logprobs', INTEGER],
  ['thinkingConfig', OBJECT],
  ['speechConfig', OBJECT],
  ['mediaResolution', STRING],
]);

/** Of one entry of `contents`. */
export const turnFields = inBothSpellings([
  ['role', STRING],
  ['parts', ARRAY],
]);

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set(['contents', 'model']);

export const MAX_CHOICES = 128;

const CONFIG = 'generationConfig';

export const settingPaths: SettingPaths = {
  maxOutputTokens: `${CONFIG}.maxOutputTokens`,
  temperature: `${CONFIG}.temperature`,
  topP: `${CONFIG}.topP`,
  topK: `${CONFIG}.topK`,
  stop: `${CONFIG}.stopSequences`,
  seed: `${CONFIG}.seed`,
  presencePenalty: `${CONFIG}.presencePenalty`,
  frequencyPenalty: `${CONFIG}.frequencyPenalty`,
  choices: `${CONFIG}.candidateCount`,
  format: `${CONFIG}.responseMimeType`,
  reasoning: `${CONFIG}.thinkingConfig`,
  toolChoice: 'toolConfig.functionCallingConfig',
  metadata: 'labels',
  serviceTier: 'serviceTier',
};

/** How the protocol names a model wherever it is no path of its own. */
export function modelResource(model: string): string {
  return /^(?:models|tunedModels|publishers|projects)\//.test(model) ? model : `models/${model}`;
}
