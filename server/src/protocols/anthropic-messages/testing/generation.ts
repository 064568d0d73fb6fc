// Requests written for an upstream of this protocol.
import type { Message, Part } from '../../../neutral/conversation.ts';
import type { Settings, Tool } from '../../../neutral/generation.ts';
import { type Written, writer } from '../../testing/written.ts';
import { writeGeneration } from '../upstream/write-generation.ts';

export { HELLO, message, text, type Written } from '../../testing/written.ts';

export const write = writer(writeGeneration, 'claude-sonnet-4-5', {
  temperature: 'temperature',
  reasoning: 'reasoning_effort',
  toolChoice: 'tool_choice',
});
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
