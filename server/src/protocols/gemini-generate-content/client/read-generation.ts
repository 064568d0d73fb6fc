// A generate-content request in the neutral form. The body was checked when it was read for the relay; here the rest is.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Message } from '../../../neutral/conversation.ts';
import type { Generation } from '../../../neutral/generation.ts';
import { originsOf } from '../../json/drop-fields.ts';
import { type JsonRecord, needRecord } from '../../json/json-value.ts';
import { nothingSaid } from '../../json/user-content.ts';
import { readKnown } from '../spelling.ts';
import { settingPaths } from '../wire.ts';
import { readMessages, readParts } from './read-messages.ts';
import { readSettings } from './read-settings.ts';
import { readTools } from './read-tools.ts';

/** Also for the OpenAPI document. */
export const knownFields: ReadonlySet<string> = new Set([
  ...Object.keys(originsOf(settingPaths)),
  'model',
  'contents',
  'systemInstruction',
  'tools',
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
