// A conversation as one text that a model can go on with: what a single user says as it is, a dialogue with its speakers.
import type { Message, Part } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { dropCacheMarks } from '../../openai-shared/content.ts';
import { documentText } from '../../openai-shared/media.ts';

export interface Prompt {
  text: string;
  isDialogue: boolean;
}

const SPEAKERS: Readonly<Record<Message['role'], string>> = {
  system: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
};

export function writeMessages(messages: readonly Message[], dropped: Dropped): Prompt {
  const turns = messages.flatMap(({ role, content }) => {
    const text = textOf(content, dropped);
    return text === '' ? [] : [{ role, text }];
  });
  const [first] = turns;
  if (turns.length <= 1 && (first === undefined || first.role === 'user')) {
    return { text: first?.text ?? '', isDialogue: false };
  }
  const transcript = turns.map(({ role, text }) => `${SPEAKERS[role]}: ${text}`).join('\n\n');
  // The assistant goes on with what it was given to say, or begins.
  return {
    text: turns.at(-1)?.role === 'assistant' ? transcript : `${transcript}\n\n${SPEAKERS.assistant}:`,
    isDialogue: true,
  };
}

function textOf(parts: readonly Part[], dropped: Dropped): string {
  dropCacheMarks(parts, dropped);
  return parts
    .map((part) => writePart(part, dropped))
    .filter((text) => text !== '')
    .join('\n');
}

function writePart(part: Part, dropped: Dropped): string {
  if (part.type === 'text' || part.type === 'refusal') return part.text;
  if (part.type === 'media' && part.source.by === 'text') return documentText(part, part.source.text);
  // Reasoning is only the scratch of the one who made it.
  if (part.type !== 'reasoning') dropped.path(part.path);
  return '';
}
