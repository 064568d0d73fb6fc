// Where the user's words stand; read for directives, and therefore before any check.
import { isObject } from '../fields/refuse.ts';

export function readUserTexts(body: unknown): string[] {
  const messages = isObject(body) ? body['messages'] : undefined;
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown) => {
    if (!isObject(message) || message['role'] !== 'user') return [];
    const { content } = message;
    if (typeof content === 'string') return [content];
    if (!Array.isArray(content)) return [];
    return content.flatMap((block: unknown) =>
      isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
    );
  });
}
