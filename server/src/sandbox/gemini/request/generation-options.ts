// How the answer is to be made: limits, stop sequences, structured output and thinking, each within its range.
import { isObject, type WireObject } from '../../fields/refuse.ts';
import { refuseArgument } from '../wire/violations.ts';
import { findBrokenRules, toJsonSchema } from './schema-rules.ts';

export type GenerationOptions = {
  candidates: number;
  maxTokens: number;
  stop: string[];
  answerSchema: WireObject | undefined;
  thinkingLimit: number | undefined;
  includeThoughts: boolean;
  /** Whether a picture is drawn, and whether words come with it. */
  draws: boolean;
  speaks: boolean;
};

const at = '* GenerateContentRequest.generation_config';
const ranges: Readonly<Record<string, { name: string; least: number; most: number }>> = {
  temperature: { name: 'temperature', least: 0, most: 2 },
  topP: { name: 'top_p', least: 0, most: 1 },
  topK: { name: 'top_k', least: 1, most: 1000 },
  candidateCount: { name: 'candidate_count', least: 1, most: 8 },
  presencePenalty: { name: 'presence_penalty', least: -2, most: 2 },
  frequencyPenalty: { name: 'frequency_penalty', least: -2, most: 2 },
  logprobs: { name: 'logprobs', least: 0, most: 20 },
};
const mimeTypes = ['text/plain', 'application/json', 'text/x.enum'];
const stopLimit = 5;
const budgetLimit = 32_768;

export function readGenerationOptions(given: unknown, model: string): GenerationOptions {
  const config = isObject(given) ? given : {};
  for (const [field, { name, least, most }] of Object.entries(ranges)) {
    const value = config[field];
    if (typeof value === 'number' && (value < least || value > most)) {
      refuseArgument(`${at}.${name}: ${name} must be in the range [${least}, ${most}].\n`);
    }
  }
  const { maxOutputTokens, stopSequences = [], candidateCount = 1, responseModalities = [] } = config;
  if (typeof maxOutputTokens === 'number' && maxOutputTokens < 1) {
    refuseArgument(`${at}.max_output_tokens: max_output_tokens must be positive.\n`);
  }
  const stop = stopSequences as string[];
  if (stop.length > stopLimit)
    refuseArgument(`${at}.stop_sequences: at most ${stopLimit} stop sequences are allowed.\n`);
  const modalities = responseModalities as string[];
  const known = model.includes('image') ? ['TEXT', 'IMAGE'] : ['TEXT'];
  const modality = modalities.find((one) => !known.includes(one));
  if (modality !== undefined) {
    refuseArgument(`Model does not support the requested response modalities: ${modality.toLowerCase()}`);
  }
  return {
    candidates: Number(candidateCount),
    maxTokens: typeof maxOutputTokens === 'number' ? maxOutputTokens : Infinity,
    stop: stop.filter((one) => one !== ''),
    answerSchema: readAnswerSchema(config),
    ...readThinking(config['thinkingConfig']),
    draws: model.includes('image') && (modalities.length === 0 || modalities.includes('IMAGE')),
    speaks: modalities.length === 0 || modalities.includes('TEXT'),
  };
}

function readAnswerSchema({
  responseMimeType,
  responseSchema,
  responseJsonSchema,
}: WireObject): WireObject | undefined {
  const type =
    responseMimeType === undefined || responseMimeType === ''
      ? 'text/plain'
      : JSON.stringify(responseMimeType).replaceAll('"', '');
  if (!mimeTypes.includes(type)) {
    const allowed = mimeTypes.map((one) => `\`${one}\``).join(', ');
    refuseArgument(`${at}.response_mime_type: allowed mimetypes are ${allowed}.\n`);
  }
  if (responseSchema !== undefined && responseJsonSchema !== undefined) {
    refuseArgument(`${at}: only one of response_schema and response_json_schema may be set.\n`);
  }
  const hasSchema = responseSchema !== undefined || responseJsonSchema !== undefined;
  if (hasSchema && type === 'text/plain') {
    refuseArgument(`${at}.response_mime_type: a response schema needs the mimetype \`application/json\`.\n`);
  }
  if (isObject(responseSchema)) {
    const broken = findBrokenRules(responseSchema, 'GenerateContentRequest.generation_config.response_schema');
    if (broken.length > 0) refuseArgument(`${broken.join('\n')}\n`);
    return toJsonSchema(responseSchema);
  }
  if (isObject(responseJsonSchema)) return responseJsonSchema;
  return type === 'application/json' ? {} : undefined;
}

function readThinking(given: unknown): Pick<GenerationOptions, 'thinkingLimit' | 'includeThoughts'> {
  const { thinkingBudget, thinkingLevel, includeThoughts } = isObject(given) ? given : {};
  if (thinkingBudget !== undefined && thinkingLevel !== undefined) {
    refuseArgument('You can only set only one of thinking budget and thinking level.');
  }
  const budget = Number(thinkingBudget ?? -1);
  if (budget < -1 || budget > budgetLimit) {
    refuseArgument(`The thinking budget ${budget} is invalid. Please choose a value between 0 and ${budgetLimit}.`);
  }
  const isAsked = includeThoughts === true || thinkingBudget !== undefined || thinkingLevel !== undefined;
  const thinkingLimit = budget === -1 ? Infinity : budget;
  return { thinkingLimit: isAsked ? thinkingLimit : undefined, includeThoughts: includeThoughts === true };
}
