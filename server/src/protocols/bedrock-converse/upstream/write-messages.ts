// The conversation as Converse wants it: instructions apart, roles in turn, the user first and last, results of tools at the
// beginning of a turn.
import type { Message } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { ContentWriter } from './write-content.ts';

interface Turn {
  role: 'user' | 'assistant';
  content: JsonRecord[];
}

/** Said where the protocol needs the user to speak and the caller let nobody. */
const GO_ON: JsonRecord = { text: 'Continue.' };

export function writeMessages(
  messages: readonly Message[],
  writer: ContentWriter,
  dropped: Dropped,
): { system: JsonRecord[]; turns: Turn[] } {
  const system: JsonRecord[] = [];
  const turns: Turn[] = [];
  for (const { role, content } of messages) {
    if (role === 'system') {
      for (const part of content) if (part.type !== 'text') dropped.path(part.path);
      system.push(...writer.write(content.filter((part) => part.type === 'text')));
    } else addTo(turns, role === 'assistant' ? 'assistant' : 'user', writer.write(content));
  }
  for (const turn of turns) if (turn.role === 'user') turn.content = settle(turn.content);
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: [GO_ON] });
  if (turns.at(-1)?.role === 'assistant') turns.push({ role: 'user', content: [GO_ON] });
  return { system, turns };
}

function addTo(turns: Turn[], role: Turn['role'], content: JsonRecord[]): void {
  if (content.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === role) last.content.push(...content);
  else turns.push({ role, content: [...content] });
}

/** Results first; a document is never alone. */
function settle(content: JsonRecord[]): JsonRecord[] {
  const isResult = (block: JsonRecord): boolean => block['toolResult'] !== undefined;
  const ordered = [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
  const hasDocument = ordered.some((block) => block['document'] !== undefined);
  const hasText = ordered.some((block) => block['text'] !== undefined);
  return hasDocument && !hasText ? [...ordered, GO_ON] : ordered;
}
