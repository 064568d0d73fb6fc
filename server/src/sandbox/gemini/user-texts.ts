// Where the user's words stand; read for directives, and therefore before any check.
import { isObject } from '../fields/refuse.ts';

export function readUserTexts(body: unknown): string[] {
  if (!isObject(body)) return [];
  const inner = body['generateContentRequest'] ?? body['generate_content_request'];
  return [
    ...readInput(body['input']),
    ...[
      ...asList(body['contents']),
      ...asList(body['content']),
      ...(isObject(inner) ? asList(inner['contents']) : []),
      ...asList(body['requests']).flatMap((request) => (isObject(request) ? asList(request['content']) : [])),
    ].flatMap(readContent),
  ];
}

/** Of an interaction: a text, contents, or steps of which the user's count. */
function readInput(input: unknown): string[] {
  return asList(input).flatMap((one) => {
    if (typeof one === 'string') return [one];
    if (!isObject(one)) return [];
    if (one['type'] === 'user_input') return readInput(one['content']);
    return typeof one['text'] === 'string' ? [one['text']] : [];
  });
}

function readContent(content: unknown): string[] {
  if (!isObject(content) || content['role'] === 'model') return [];
  return asList(content['parts']).flatMap((part) =>
    isObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
}

/** One value stands for a list of one, as in protocol buffers. */
function asList(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
