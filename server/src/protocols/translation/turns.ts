// A conversation for protocols in which two roles take turns: instructions apart, the user first, results of tools at the
// beginning of a turn.
import type { Message } from '../../neutral/conversation.ts';
import type { Dropped } from '../../neutral/dropped.ts';
import type { JsonRecord } from '../json/json-value.ts';

export interface Turn {
  role: 'user' | 'assistant';
  content: JsonRecord[];
}

export interface WrittenConversation {
  system: JsonRecord[];
  turns: Turn[];
}

export interface TurnRules {
  write(content: Message['content']): JsonRecord[];
  isResult(block: JsonRecord): boolean;
  /** Said where the protocol needs the user to speak and the caller let nobody. */
  goOn: JsonRecord;
}

/** Instructions are text only; wherever they stood, they come before the conversation. */
export function writeTurns(
  messages: readonly Message[],
  { write, isResult, goOn }: TurnRules,
  dropped: Dropped,
): WrittenConversation {
  const system: JsonRecord[] = [];
  const turns: Turn[] = [];
  for (const { role, content } of messages) {
    if (role === 'system') {
      for (const part of content) if (part.type !== 'text') dropped.path(part.path);
      system.push(...write(content.filter((part) => part.type === 'text')));
    } else addTo(turns, role === 'assistant' ? 'assistant' : 'user', write(content));
  }
  for (const turn of turns)
    if (turn.role === 'user')
      turn.content = [...turn.content.filter(isResult), ...turn.content.filter((block) => !isResult(block))];
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: [goOn] });
  return { system, turns };
}

/** For models that do not go on with an answer that has been begun. */
export function endWithUser(turns: Turn[], goOn: JsonRecord): void {
  if (turns.at(-1)?.role === 'assistant') turns.push({ role: 'user', content: [goOn] });
}

function addTo(turns: Turn[], role: Turn['role'], content: JsonRecord[]): void {
  if (content.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === role) last.content.push(...content);
  else turns.push({ role, content });
}
