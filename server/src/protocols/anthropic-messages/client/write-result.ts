// A whole result as an answer of this protocol.
import type { GenerationResult, OutputPart } from '../../../neutral/generation.ts';
import { writeSignature } from '../../../neutral/signature.ts';
import { type JsonRecord, readArguments } from '../../json/json-value.ts';
import type { AnswerContext } from '../../text-protocol.ts';
import { writeCitation } from '../citations.ts';
import { writeFinish } from '../finish-reason.ts';
import { writeUsage } from '../usage.ts';
import { NAME } from '../wire.ts';

export function writeResult(result: GenerationResult, context: AnswerContext): Buffer {
  const { content, finish, usage } = result;
  const refusals = content.filter((part) => part.type === 'refusal').map(({ text }) => text);
  const ending = {
    callsTools: content.some(({ type }) => type === 'tool-call'),
    refusal: refusals.length === 0 ? undefined : refusals.join(''),
  };
  return Buffer.from(
    JSON.stringify({
      ...messageHead(context),
      content: content.flatMap(writePart),
      ...writeFinish(finish, ending),
      usage: writeUsage(usage),
    }),
  );
}

/** What every answer begins with. */
export function messageHead({ id, generation }: AnswerContext): JsonRecord {
  const own = { id: `msg_${id}`, type: 'message', role: 'assistant', model: generation.model };
  return { ...own, container: null, diagnostics: null };
}

function writePart(part: OutputPart): JsonRecord[] {
  if (part.type === 'tool-call') {
    const use = writeToolUse(part, readArguments(part.arguments));
    // A call has no place for a signature here: it travels in an empty block of thinking before the call.
    if (part.signature === undefined) return [use];
    return [{ type: 'thinking', thinking: '', signature: writeSignature(part.signature, NAME) }, use];
  }
  if (part.type === 'reasoning') {
    const sealed = part.sealed === undefined ? [] : [redacted(writeSignature(part.sealed, NAME))];
    if (part.text === '' && part.signature === undefined) return sealed;
    const signature = part.signature === undefined ? '' : writeSignature(part.signature, NAME);
    return [{ type: 'thinking', thinking: part.text, signature }, ...sealed];
  }
  if (part.type === 'picture') return []; // named as dropped
  if (part.text === '') return []; // this protocol refuses empty texts when they are sent back
  const citations = part.type === 'text' ? (part.citations ?? []).flatMap((one) => writeCitation(one) ?? []) : [];
  return [{ type: 'text', text: part.text, ...(citations.length > 0 && { citations }) }];
}

/** The model called: no server-side program did. */
export function writeToolUse({ id, name }: { id: string; name: string }, input: unknown): JsonRecord {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } };
}

function redacted(data: string): JsonRecord {
  return { type: 'redacted_thinking', data };
}
