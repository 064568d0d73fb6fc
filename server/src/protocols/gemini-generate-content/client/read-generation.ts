// A generate-content request in the neutral form. The body was checked when it was read for the relay; here the rest is.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Message } from '../../../neutral/conversation.ts';
import type { Generation, SettingPaths } from '../../../neutral/generation.ts';
import { type JsonRecord, needRecord } from '../../json/json-value.ts';
import { nothingSaid } from '../../json/user-content.ts';
import { readKnown } from '../spelling.ts';
import { readMessages, readParts } from './read-messages.ts';
import { readSettings } from './read-settings.ts';
import { readTools } from './read-tools.ts';

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

/** Also for the OpenAPI document. */
export const knownFields: ReadonlySet<string> = new Set([
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'labels',
  'serviceTier',
]);

export interface ContentRoute {
  model: string;
  stream: boolean;
}

/** Throws invalid_request that names the field. */
export function readGeneration(body: JsonRecord, { model, stream }: ContentRoute): Generation {
  const unknown: string[] = [];
  const wire = readKnown(body, knownFields, { prefix: '', unknown });
  const messages = [...readSystem(wire['systemInstruction'], unknown), ...readMessages(wire['contents'], unknown)];
  if (messages.length === 0) throw nothingSaid('contents[0].parts');
  return {
    model,
    stream,
    messages,
    tools: readTools(wire['tools'], unknown),
    settings: readSettings(wire, unknown),
    showsUsage: true,
    unknown,
  };
}

function readSystem(value: unknown, unknown: string[]): Message[] {
  const path = 'systemInstruction';
  if (value === undefined || value === '') return [];
  const given = typeof value === 'string' ? { parts: [{ text: value }] } : needRecord(value, path);
  const content = readParts(given['parts'], `${path}.parts`, unknown);
  const other = content.find((part) => part.type !== 'text');
  if (other !== undefined) throw invalidRequest(`'${other.path}' must be text.`, other.path);
  return content.length === 0 ? [] : [{ role: 'system', content, path }];
}
