// The documents of a request to /v2/chat: other protocols have them as parts of what the user says.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { MediaPart, Message } from '../../../neutral/conversation.ts';
import { asRecord, asText, type JsonRecord, optionalList } from '../../json/json-value.ts';

/** Where a document keeps its text, the likeliest first. */
const TEXTS = ['text', 'snippet', 'content'];

/** The messages with the documents before what the user said last. */
export function withDocuments(messages: Message[], value: unknown): Message[] {
  const documents = optionalList(value, 'documents').map((one, index) => readDocument(one, `documents[${index}]`));
  if (documents.length === 0) return messages;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  if (last === -1) return [...messages, { role: 'user', content: documents, path: 'documents' }];
  return messages.map((message, index) =>
    index === last ? { ...message, content: [...documents, ...message.content] } : message,
  );
}

function readDocument(value: unknown, path: string): MediaPart {
  if (typeof value === 'string') return documentOf(value, undefined, path);
  const data = asRecord(asRecord(value)?.['data']);
  if (data === undefined) throw invalidRequest(`'${path}' must be a string or an object with 'data'.`, path);
  const title = asText(data['title']) ?? asText(asRecord(value)?.['id']);
  return documentOf(textOf(data), title, path);
}

/** One that has more than its text and its title is shown with all its fields. */
function textOf(data: JsonRecord): string {
  const { title: _, ...rest } = data;
  const [name, ...others] = Object.keys(rest);
  const text = name !== undefined && others.length === 0 && TEXTS.includes(name) ? asText(rest[name]) : undefined;
  return text ?? JSON.stringify(data);
}

function documentOf(text: string, title: string | undefined, path: string): MediaPart {
  const source = { by: 'text', text, mediaType: 'text/plain' } as const;
  return { type: 'media', kind: 'file', source, ...(title !== undefined && { title }), path };
}
