// Where the user's words stand in the requests of this protocol; read for directives, and therefore before any check.
import { isObject } from '../fields/refuse.ts';
import { readText, readUserTexts as readChatTexts } from './chat/messages.ts';

export function readUserTexts(body: unknown): string[] {
  if (!isObject(body)) return [];
  return [...readChatTexts(body), ...readTexts(body['prompt']), ...readTexts(body['input'])];
}

/** A text, a list of texts, content parts, or items of a conversation of which only the user's count. */
function readTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    if (typeof one === 'string') return [one];
    if (!isObject(one)) return [];
    if (typeof one['text'] === 'string') return [one['text']];
    return one['role'] === 'user' ? [readText(one)] : [];
  });
}
