// A completions request in the neutral form: its prompt is what a user says.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Message } from '../../../neutral/conversation.ts';
import type { Generation, Settings } from '../../../neutral/generation.ts';
import { asRecord, asText, needBody, present, unknownFields } from '../../json/json-value.ts';
import { completionSettingPaths } from '../../openai-chat/wire.ts';
import { askedOf, otherNames, readLabels, readSampling } from '../../openai-shared/settings.ts';

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
  unknown.push(...askedOf(wire, OPTIONAL));
  if (typeof wire['best_of'] === 'number' && wire['best_of'] > 1) unknown.push('best_of');
  return {
    model: asText(wire['model']) ?? '',
    stream: wire['stream'] === true,
    showsUsage: asRecord(wire['stream_options'])?.['include_usage'] === true,
    messages: [readPrompt(wire['prompt'])],
    tools: [],
    settings: present<Settings>({ ...readSampling(wire), ...readLabels(wire, unknown) }),
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
