// What a user's turn must hold to be put in the words of another protocol. A turn without content would be answered as if
// its user had said something else.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { plainText } from '../../shared/plain-text.ts';
import { asList, asRecord, asText } from './json-value.ts';

const LONGEST_TYPE = 40;

/** Throws where there is no content, or where `read` says that nothing of it is known. An empty text is known. */
export function needUserContent(content: unknown, path: string, read: readonly unknown[]): void {
  if (content === undefined || content === null)
    throw invalidRequest(`'${path}' is required: a user message needs content.`, path);
  const [first] = asList(content);
  if (read.length === 0 && first !== undefined) throw nothingKnown(first, `${path}[0]`);
}

/** For the first part or item, where neither it nor any other one can be translated. */
export function nothingKnown(first: unknown, path: string): Error {
  const type = asText(asRecord(first)?.['type']);
  const what = type === undefined ? 'has no known type' : `has the type "${plainText(type, LONGEST_TYPE)}"`;
  return invalidRequest(
    `'${path}' ${what}: it cannot be sent to this model's provider, and there is nothing else.`,
    path,
  );
}

/** For a conversation of empty texts. */
export function nothingSaid(path: string): Error {
  return invalidRequest(`'${path}' is empty, and nothing else is said. A user message needs content.`, path);
}
