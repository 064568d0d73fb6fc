// A request written for an upstream, and what could not be translated: what the tests of writing share.
import type { Message, Part } from '../../../neutral/conversation.ts';
import { Dropped } from '../../../neutral/dropped.ts';
import type { Generation, Settings, Tool } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { writeGeneration } from './write-generation.ts';

export const text = (value: string): Part => ({ type: 'text', text: value, path: 'p' });
export const message = (role: Message['role'], ...content: Part[]): Message => ({ role, content, path: 'm' });
export const HELLO = message('user', text('hi'));
const SETTING_PATHS = { temperature: 'temperature', reasoning: 'reasoning_effort', toolChoice: 'tool_choice' };

export interface Written {
  body: JsonRecord;
  dropped: readonly string[];
}

export function write(
  given: Partial<Generation>,
  upstreamModel = 'claude-sonnet-4-5',
  dropFields: string[] = [],
): Written {
  const base = {
    model: 'm',
    stream: false,
    messages: [HELLO],
    tools: [],
    settings: {},
    showsUsage: false,
    unknown: [],
  };
  const dropped = new Dropped(SETTING_PATHS);
  const bytes = writeGeneration({ ...base, ...given }, { upstreamModel, dropFields, defaultMaxOutput: 4096, dropped });
  return { body: JSON.parse(bytes.toString()) as JsonRecord, dropped: dropped.paths };
}
export const set = (settings: Settings, model?: string): Written => write({ settings }, model);
export const say = (...messages: Message[]): Written => write({ messages });
export const call = (id: string): Part => ({ type: 'tool-call', id, name: 'f', arguments: '{"x":1}', path: 'p' });
export const result = (callId: string, more: object = {}): Part => ({
  type: 'tool-result',
  callId,
  content: [{ type: 'text', text: 'ok', path: 'p' }],
  isError: false,
  path: 'p',
  ...more,
});
export const TOOL: Tool = { name: 'f', parameters: { type: 'object', properties: {} }, path: 'tools[0]' };
