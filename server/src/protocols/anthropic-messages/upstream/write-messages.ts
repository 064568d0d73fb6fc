// The conversation as this protocol wants it: roles in turn, and the end as the model takes it.
import type { Message } from '../../../neutral/conversation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { type Turn, type WrittenConversation, writeTurns } from '../../translation/turns.ts';
import { type ContentContext, writeParts } from './write-content.ts';

export const GO_ON: JsonRecord = { type: 'text', text: 'Continue.' };

export function writeMessages(messages: readonly Message[], context: ContentContext): WrittenConversation {
  const rules = {
    write: (content: Message['content']) => writeParts(content, context),
    isResult: ({ type }: JsonRecord) => type === 'tool_result',
    goOn: GO_ON,
  };
  return writeTurns(messages, rules, context.dropped);
}

/** An answer that has been begun ends without space, or the protocol refuses it. */
export function trimPrefill(turns: Turn[]): void {
  const last = turns.at(-1);
  const block = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (block !== undefined && typeof block['text'] === 'string') block['text'] = block['text'].trimEnd();
}

/** A model that thinks with a budget wants to see its thoughts before the calls whose results it is given. */
export function lacksThoughts(turns: readonly Turn[]): boolean {
  const last = turns.at(-1);
  if (last?.role !== 'user' || last.content[0]?.['type'] !== 'tool_result') return false;
  const first = turns.at(-2)?.content[0]?.['type'];
  return first !== 'thinking' && first !== 'redacted_thinking';
}
