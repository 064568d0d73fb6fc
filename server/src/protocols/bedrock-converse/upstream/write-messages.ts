// The conversation as Converse wants it: roles in turn, the user first and last, and a document never alone.
import type { Message } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { endWithUser, type WrittenConversation, writeTurns } from '../../translation/turns.ts';
import type { ContentWriter } from './write-content.ts';

const GO_ON: JsonRecord = { text: 'Continue.' };

export function writeMessages(
  messages: readonly Message[],
  writer: ContentWriter,
  dropped: Dropped,
): WrittenConversation {
  const rules = {
    write: (content: Message['content']) => writer.write(content),
    isResult: (block: JsonRecord) => block['toolResult'] !== undefined,
    goOn: GO_ON,
  };
  const { system, turns } = writeTurns(messages, rules, dropped);
  for (const { role, content } of turns) if (role === 'user' && lacksWords(content)) content.push(GO_ON);
  endWithUser(turns, GO_ON);
  return { system, turns };
}

function lacksWords(content: readonly JsonRecord[]): boolean {
  const has = (name: string): boolean => content.some((block) => block[name] !== undefined);
  return has('document') && !has('text');
}
