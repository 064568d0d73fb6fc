// The conversation as this protocol wants it: instructions apart, roles in turn, the user first, results of tools at the
// beginning of a turn.
import type { Message } from '../../../neutral/conversation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { type ContentContext, writeParts } from './write-content.ts';

export interface Turn {
  role: 'user' | 'assistant';
  content: JsonRecord[];
}

export interface WrittenConversation {
  system: JsonRecord[];
  turns: Turn[];
}

/** Said where the protocol needs the user to speak and the caller let nobody. */
const GO_ON: JsonRecord = { type: 'text', text: 'Continue.' };

export function writeMessages(messages: readonly Message[], context: ContentContext): WrittenConversation {
  const system: JsonRecord[] = [];
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === 'system') system.push(...writeSystem(message, context));
    else addTo(turns, message.role === 'assistant' ? 'assistant' : 'user', writeParts(message.content, context));
  }
  for (const turn of turns) if (turn.role === 'user') turn.content = resultsFirst(turn.content);
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: [GO_ON] });
  return { system, turns };
}

/** An answer that has been begun ends without space, or the protocol refuses it. */
export function trimPrefill(turns: Turn[]): void {
  const last = turns.at(-1);
  const block = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (block !== undefined && typeof block['text'] === 'string') block['text'] = block['text'].trimEnd();
}

/** For models that do not go on with an answer that has been begun. */
export function endWithUser(turns: Turn[]): void {
  if (turns.at(-1)?.role === 'assistant') turns.push({ role: 'user', content: [GO_ON] });
}

/** A model that thinks with a budget wants to see its thoughts before the calls whose results it is given. */
export function lacksThoughts(turns: readonly Turn[]): boolean {
  const last = turns.at(-1);
  if (last?.role !== 'user' || last.content[0]?.['type'] !== 'tool_result') return false;
  const first = turns.at(-2)?.content[0]?.['type'];
  return first !== 'thinking' && first !== 'redacted_thinking';
}

/** Instructions are text only; wherever they stood, they come before the conversation. */
function writeSystem({ content }: Message, context: ContentContext): JsonRecord[] {
  for (const part of content) if (part.type !== 'text') context.dropped.path(part.path);
  return writeParts(
    content.filter((part) => part.type === 'text'),
    context,
  );
}

function addTo(turns: Turn[], role: Turn['role'], content: JsonRecord[]): void {
  const last = turns.at(-1);
  if (content.length === 0) return;
  if (last?.role === role) last.content.push(...content);
  else turns.push({ role, content });
}

function resultsFirst(content: JsonRecord[]): JsonRecord[] {
  const isResult = ({ type }: JsonRecord): boolean => type === 'tool_result';
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}
