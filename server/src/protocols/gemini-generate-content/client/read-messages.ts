// The turns of a request as neutral messages. What the neutral form has no place for is listed by its path.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { LostPart, Message, Part } from '../../../neutral/conversation.ts';
import { asRecord, asText, needList, needRecord, needText } from '../../json/json-value.ts';
import { splitResults } from '../../json/user-content.ts';
import { readThoughtSignature } from '../signature.ts';
import { readKnown } from '../spelling.ts';
import { CallIds } from './call-ids.ts';
import { readFileData, readInlineData } from './read-media.ts';
import { type PartContext, readResult } from './read-result-part.ts';

export const TURN_FIELDS: ReadonlySet<string> = new Set(['role', 'parts']);
export const PART_FIELDS: ReadonlySet<string> = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
]);
export const CALL_FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'args']);

export function readMessages(value: unknown, unknown: string[]): Message[] {
  const calls = new CallIds();
  const messages: Message[] = [];
  for (const [index, one] of needList(value, 'contents').entries()) {
    const path = `contents[${index}]`;
    const { role = 'user', parts } = readKnown(needRecord(one, path), TURN_FIELDS, { prefix: `${path}.`, unknown });
    const content = readParts(parts, `${path}.parts`, unknown, calls);
    if (role === 'model') addTurn(messages, content, path);
    // Results of functions had a role of their own once.
    else if (role === 'user' || role === 'function' || role === '') {
      const lost = content.length === 0 ? lostPart(parts, `${path}.parts`) : undefined;
      if (lost === undefined) messages.push(...splitResults(content, path));
      else messages.push({ role: 'user', content, lost, path });
    } else throw invalidRequest(`'${path}.role' must be 'user' or 'model'.`, `${path}.role`);
  }
  return messages;
}

/** A part says what it is by its field; an empty text is one. */
function lostPart(parts: unknown, path: string): LostPart | undefined {
  const list = Array.isArray(parts) ? parts : [parts];
  const isKnown = list.some((one) => asText(asRecord(one)?.['text']) !== undefined);
  return isKnown ? undefined : { path: `${path}[0]`, reason: 'has no known field' };
}

export function readParts(value: unknown, path: string, unknown: string[], calls = new CallIds()): Part[] {
  const list = Array.isArray(value) ? value : [needRecord(value, path)];
  return list.flatMap((one, index) => readPart(one, { path: `${path}[${index}]`, unknown, calls }));
}

function readPart(value: unknown, position: PartContext): Part[] {
  const { path, unknown, calls } = position;
  const wire = readKnown(needRecord(value, path), PART_FIELDS, { prefix: `${path}.`, unknown });
  const reported = asText(wire['thoughtSignature']);
  const signed = reported === undefined || reported === '' ? {} : readThoughtSignature(reported);
  if (wire['functionCall'] !== undefined) {
    const at = `${path}.functionCall`;
    const call = readKnown(needRecord(wire['functionCall'], at), CALL_FIELDS, { prefix: `${at}.`, unknown });
    const name = needText(call['name'], `${at}.name`);
    const args = JSON.stringify(needRecord(call['args'] ?? {}, `${at}.args`));
    const { signature } = signed;
    const id = calls.ofCall(asText(call['id']), name);
    return [{ type: 'tool-call', id, name, arguments: args, ...(signature !== undefined && { signature }), path }];
  }
  if (wire['functionResponse'] !== undefined) return [readResult(wire['functionResponse'], position)];
  if (wire['inlineData'] !== undefined) return [readInlineData(wire['inlineData'], path, unknown)];
  if (wire['fileData'] !== undefined) return [readFileData(wire['fileData'], path, unknown)];
  if (wire['text'] === undefined && reported === undefined) return []; // what it is instead has been listed
  const text = needText(wire['text'] ?? '', `${path}.text`);
  if (wire['thought'] === true) return [{ type: 'reasoning', text, ...signed, path }];
  const spoken: Part[] = text === '' ? [] : [{ type: 'text', text, path }];
  // The proof of plain text has no place there.
  return reported === undefined || reported === ''
    ? spoken
    : [...spoken, { type: 'reasoning', text: '', ...signed, path }];
}

/** The vendor's library sends a streamed answer back as it came: every piece of it as a turn. */
function addTurn(messages: Message[], content: readonly Part[], path: string): void {
  if (content.length === 0) return;
  let turn = messages.at(-1);
  if (turn?.role !== 'assistant') messages.push((turn = { role: 'assistant', content: [], path }));
  for (const part of content) addPart(turn.content, part);
}

/** Pieces become one. Of a thought only the last piece is signed, and the proof is of the whole. */
function addPart(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  const isOpen =
    last?.type === 'reasoning' ? last.signature === undefined && last.sealed === undefined : last?.type === 'text';
  const isMore =
    (part.type === 'text' && last?.type === 'text') ||
    (part.type === 'reasoning' && last?.type === 'reasoning' && part.sealed === undefined);
  if (isOpen && isMore) parts[parts.length - 1] = { ...part, text: last.text + part.text, path: last.path };
  else parts.push(part);
}
