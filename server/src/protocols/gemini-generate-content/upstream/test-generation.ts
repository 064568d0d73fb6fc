// A request written for an upstream, and what could not be translated: what the tests of writing share.
import type { Message, Part } from '../../../neutral/conversation.ts';
import { Dropped } from '../../../neutral/dropped.ts';
import type { Generation } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { writeGeneration } from './write-generation.ts';

export const text = (value: string): Part => ({ type: 'text', text: value, path: 'p' });
export const message = (role: Message['role'], ...content: Part[]): Message => ({ role, content, path: 'm' });
export const HELLO = message('user', text('hi'));

export interface Written {
  body: JsonRecord;
  dropped: readonly string[];
}

export function write(
  given: Partial<Generation>,
  upstreamModel = 'gemini-2.5-flash',
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
  const dropped = new Dropped({ choices: 'n', stop: 'stop', user: 'user', parallelToolCalls: 'parallel_tool_calls' });
  const bytes = writeGeneration({ ...base, ...given }, { upstreamModel, dropFields, defaultMaxOutput: 4096, dropped });
  return { body: JSON.parse(bytes.toString()) as JsonRecord, dropped: dropped.paths };
}
