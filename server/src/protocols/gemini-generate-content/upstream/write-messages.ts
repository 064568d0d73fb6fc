// A neutral conversation as turns of this protocol: instructions apart, calls whole in one turn, and their results whole
// in the next.
import type { Message, Part, ToolResultPart } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { resultsFirst } from '../../../neutral/results-first.ts';
import { asRecord, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import { writeMedia } from './write-media.ts';
import { writeContent } from './write-content.ts';

/** What the vendor takes for the proof of a call that it did not make. https://ai.google.dev/gemini-api/docs/thought-signatures */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

interface Turn {
  kind: 'user' | 'model' | 'results';
  parts: JsonRecord[];
}

export interface Conversation {
  contents: JsonRecord[];
  systemInstruction?: JsonRecord;
}

/** `needsSignature`: the model refuses calls of its past that are not signed. */
export function writeMessages(
  messages: readonly Message[],
  { dropped, needsSignature }: { dropped: Dropped; needsSignature: boolean },
): Conversation {
  for (const { content } of messages)
    for (const { cacheMark } of content) if (cacheMark !== undefined) dropped.path(cacheMark.path);
  const system = messages
    .filter(({ role }) => role === 'system')
    .flatMap(({ content }) => writeParts(content, dropped));
  const turns = writeTurns(messages, dropped);
  if (needsSignature) for (const { parts } of turns) proveFirstCall(parts);
  const contents = turns.map(({ kind, parts }) => ({ role: kind === 'model' ? 'model' : 'user', parts }));
  if (system.length === 0) return { contents };
  // Instructions alone are no request there.
  if (contents.length === 0) return { contents: [{ role: 'user', parts: system }] };
  return { contents, systemInstruction: { parts: system } };
}

function writeTurns(messages: readonly Message[], dropped: Dropped): Turn[] {
  const names = callNames(messages);
  const turns: Turn[] = [];
  for (const { role, content } of resultsFirst(messages)) {
    if (role === 'system') continue;
    const kind = role === 'assistant' ? 'model' : role === 'tool' ? 'results' : 'user';
    const parts =
      kind === 'model'
        ? writeContent(content, dropped)
        : kind === 'results'
          ? content.flatMap((part) => (part.type === 'tool-result' ? [writeResult(part, names, dropped)] : []))
          : writeParts(content, dropped);
    const last = turns.at(-1);
    if (last?.kind === kind) last.parts.push(...parts);
    else if (parts.length > 0) turns.push({ kind, parts });
  }
  return turns;
}

function writeParts(content: readonly Part[], dropped: Dropped): JsonRecord[] {
  return content.flatMap((part): JsonRecord[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ text: part.text }];
    if (part.type === 'media') return writeMedia(part, dropped);
    dropped.path(part.path);
    return [];
  });
}

function writeResult(result: ToolResultPart, names: ReadonlyMap<string, string>, dropped: Dropped): JsonRecord {
  const { callId, name = names.get(callId) ?? callId, content, isError } = result;
  // A document of text has become text, which belongs to the response.
  const parts = content
    .flatMap((part) => (part.type === 'media' ? writeMedia(part, dropped) : []))
    .filter((media) => media['text'] === undefined);
  const text = content
    .flatMap((part) => (part.type === 'text' ? [part.text] : part.source.by === 'text' ? [part.source.text] : []))
    .join('\n');
  const response = isError ? { error: text } : (parseRecord(text) ?? { output: text });
  return { functionResponse: { id: callId, name, response, ...(parts.length > 0 && { parts }) } };
}

function callNames(messages: readonly Message[]): Map<string, string> {
  const calls = messages.flatMap(({ content }) => content.filter((part) => part.type === 'tool-call'));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

/** Only the first call of a turn is signed by the vendor too. */
function proveFirstCall(parts: JsonRecord[]): void {
  const call = parts.find((part) => asRecord(part['functionCall']) !== undefined);
  if (call !== undefined) call['thoughtSignature'] ??= NO_SIGNATURE;
}
