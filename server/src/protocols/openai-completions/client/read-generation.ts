// A completions request in the neutral form: its prompt is what a user says.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Message } from '../../../neutral/conversation.ts';
import type { Generation, SettingPaths, Settings } from '../../../neutral/generation.ts';
import {
  asRecord,
  asText,
  type JsonRecord,
  needBody,
  optionalNumber,
  optionalRecord,
  optionalText,
  present,
  unknownFields,
} from '../../json/json-value.ts';
import { asksNothing, otherNames, readStop, textOfAny } from '../../openai-shared/settings.ts';

export const completionSettingPaths: SettingPaths = {
  maxOutputTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  choices: 'n',
  user: 'user',
  metadata: 'metadata',
  serviceTier: 'service_tier',
};

/** Fields that matter only when they are not what everybody does anyway. */
const OPTIONAL = ['echo', 'suffix', 'logit_bias', 'store'];

/** Also for the OpenAPI document. */
export const knownFields: ReadonlySet<string> = new Set([
  ...Object.values(completionSettingPaths),
  'model',
  'prompt',
  'stream',
  'stream_options',
  'max_completion_tokens',
  'safety_identifier',
  'best_of',
  ...OPTIONAL,
]);

export function readGeneration(body: Buffer): Generation {
  const wire = needBody(body);
  const unknown = unknownFields(wire, knownFields);
  unknown.push(
    ...OPTIONAL.filter((name) => wire[name] !== undefined && wire[name] !== null && !asksNothing(wire, name)),
  );
  if (typeof wire['best_of'] === 'number' && wire['best_of'] > 1) unknown.push('best_of');
  return {
    model: asText(wire['model']) ?? '',
    stream: wire['stream'] === true,
    showsUsage: asRecord(wire['stream_options'])?.['include_usage'] === true,
    messages: [readPrompt(wire['prompt'])],
    tools: [],
    settings: readSettings(wire, unknown),
    paths: otherNames(wire),
    unknown,
  };
}

/** Several prompts have several answers, and token ids are those of one provider. */
function readPrompt(prompt: unknown): Message {
  const text = asText(Array.isArray(prompt) && prompt.length === 1 ? prompt[0] : prompt);
  if (text === undefined) {
    const message = "A 'prompt' of several texts or of tokens cannot be sent to this model's provider. Send one text.";
    throw invalidRequest(message, 'prompt');
  }
  return { role: 'user', content: [{ type: 'text', text, path: 'prompt' }], path: 'prompt' };
}

function readSettings(wire: JsonRecord, unknown: string[]): Settings {
  const number = (name: string): number | undefined => optionalNumber(wire[name], name);
  const text = (name: string): string | undefined => optionalText(wire[name], name);
  const choices = number('n');
  return present<Settings>({
    maxOutputTokens: number('max_completion_tokens') ?? number('max_tokens'),
    temperature: number('temperature'),
    topP: number('top_p'),
    topK: number('top_k'),
    stop: readStop(wire['stop']),
    seed: number('seed'),
    presencePenalty: number('presence_penalty'),
    frequencyPenalty: number('frequency_penalty'),
    choices: choices !== undefined && choices > 1 ? choices : undefined,
    user: textOfAny(wire, 'safety_identifier', unknown) ?? text('user'),
    metadata: optionalRecord(wire['metadata'], 'metadata'),
    serviceTier: textOfAny(wire, 'service_tier', unknown),
  });
}
