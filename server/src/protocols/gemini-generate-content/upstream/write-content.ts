// What the model said before, for an upstream of this protocol. Only what such an upstream signed itself is shown to it.
import type { Part, Signature, ToolCallPart } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { type JsonRecord, readArguments } from '../../json/json-value.ts';
import { NAME } from '../wire.ts';
import { writeMedia } from './write-media.ts';

export function writeContent(content: readonly Part[], dropped: Dropped): JsonRecord[] {
  const written: JsonRecord[] = [];
  /** A proof that came without words: of the call that follows, else of the text before. */
  let waiting: string | undefined;
  for (const part of content) {
    const own = part.type === 'reasoning' || part.type === 'tool-call' ? ownSignature(part.signature) : undefined;
    if (part.type === 'reasoning' && own === undefined) continue;
    if (part.type === 'tool-call' && own === undefined) {
      written.push(writeCall(part, waiting));
      waiting = undefined;
      continue;
    }
    if (waiting !== undefined) written.push({ text: '', thoughtSignature: waiting });
    waiting = undefined;
    if (part.type === 'reasoning' && part.text === '') waiting = own;
    else written.push(...writePart(part, own, dropped));
  }
  if (waiting !== undefined) written.push({ text: '', thoughtSignature: waiting });
  return written;
}

function writePart(part: Part, own: string | undefined, dropped: Dropped): JsonRecord[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }];
    case 'reasoning':
      return [{ text: part.text, thought: true, thoughtSignature: own }];
    case 'tool-call':
      return [writeCall(part, own)];
    case 'media':
      return writeMedia(part, dropped);
    case 'tool-result':
      dropped.path(part.path);
      return [];
  }
}

function writeCall({ id, name, arguments: text }: ToolCallPart, signature: string | undefined): JsonRecord {
  return {
    functionCall: { id, name, args: readArguments(text) },
    ...(signature !== undefined && { thoughtSignature: signature }),
  };
}

function ownSignature(signature: Signature | undefined): string | undefined {
  return signature?.protocol === NAME ? signature.value : undefined;
}
