// What a user's turn must hold to be put in the words of another protocol. A turn without content would be answered as if
// its user had said something else.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { LostPart, Message, Part } from '../../neutral/conversation.ts';
import { plainText } from '../../shared/plain-text.ts';
import { asList, asRecord, asText } from './json-value.ts';

const LONGEST_TYPE = 40;

/** `content` is what is known of the `given` one. Throws where none is given; an empty text is. */
export function userMessage(given: unknown, path: string, content: readonly Part[]): Message {
  const at = `${path}.content`;
  if (given === undefined || given === null)
    throw invalidRequest(`'${at}' is required: a user message needs content.`, at);
  const [first] = asList(given);
  const isLost = content.length === 0 && first !== undefined;
  const lost = isLost && { lost: unknownPart(first, `${at}[0]`) };
  return { role: 'user', content: content.map(asSaid), path, ...lost };
}

/** What a user sent, of which results of tools are messages of their own in the neutral form. */
export function splitResults(content: readonly Part[], path: string): Message[] {
  const messages: Message[] = [];
  for (const part of content) {
    const role = part.type === 'tool-result' ? 'tool' : 'user';
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(part);
    else messages.push({ role, content: [part], path });
  }
  return messages;
}

/** Only assistants refuse; a user who sends such a part says its words. */
function asSaid(part: Part): Part {
  return part.type === 'refusal' ? { ...part, type: 'text' } : part;
}

/** A part or an item that has no place in the neutral form. */
export function unknownPart(part: unknown, path: string): LostPart {
  const type = asText(asRecord(part)?.['type']);
  const reason = type === undefined ? 'has no known type' : `has the type "${plainText(type, LONGEST_TYPE)}"`;
  return { path, reason };
}

/** For the first part or item, where neither it nor any other one can be translated. */
export function nothingKnown({ path, reason }: LostPart): Error {
  return invalidRequest(
    `'${path}' ${reason}: it cannot be sent to this model's provider, and there is nothing else.`,
    path,
  );
}

/** For a conversation of empty texts. */
export function nothingSaid(path: string): Error {
  return invalidRequest(`'${path}' is empty, and nothing else is said. A user message needs content.`, path);
}
