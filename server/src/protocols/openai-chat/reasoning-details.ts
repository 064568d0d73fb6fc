// `reasoning_details` and `extra_content`: where compatible clients and providers keep what must come back for a model to
// go on with its tools. https://openrouter.ai/docs/use-cases/reasoning-tokens, https://ai.google.dev/gemini-api/docs/openai
import type { ReasoningPart, Signature } from '../../neutral/conversation.ts';
import { writeSignature } from '../../neutral/signature.ts';
import { asCount, asList, asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import { CHAT } from './wire.ts';

/** What of the message stood before it. */
export interface Position {
  /** Characters of the content. */
  content: number;
  toolCalls: number;
}

export interface ReasoningDetail {
  text: string;
  signature?: string;
  /** Reasoning that only its provider can read. */
  data?: string;
  position: Position;
}

export function readReasoningDetails(value: unknown): ReasoningDetail[] {
  return asList(value).map((one) => {
    const wire = asRecord(one) ?? {};
    const signature = asText(wire['signature']);
    const data = asText(wire['data']);
    return {
      text: asText(wire['text']) ?? asText(wire['summary']) ?? '',
      ...(signature !== undefined && signature !== '' && { signature }),
      ...(data !== undefined && data !== '' && { data }),
      position: readPosition(wire['position']),
    };
  });
}

function readPosition(value: unknown): Position {
  const wire = asRecord(value);
  return { content: asCount(wire?.['content']) ?? 0, toolCalls: asCount(wire?.['tool_calls']) ?? 0 };
}

/** `toSignature` says whose proof it is. Details that say nothing are left out. */
export function reasoningOf(
  { text, signature, data }: ReasoningDetail,
  path: string,
  toSignature: (value: string) => Signature,
): ReasoningPart[] {
  if (data !== undefined) return [{ type: 'reasoning', text: '', sealed: toSignature(data), path }];
  if (signature !== undefined) return [{ type: 'reasoning', text, signature: toSignature(signature), path }];
  return text === '' ? [] : [{ type: 'reasoning', text, path }];
}

/** Only what must come back: signed and sealed reasoning. */
export function writeReasoningDetail(
  { text, signature, sealed }: Omit<ReasoningPart, 'type' | 'path'>,
  { content, toolCalls }: Position = FIRST,
): JsonRecord[] {
  // Reasoning usually stands before everything else.
  const position = content + toolCalls > 0 && { position: { content, tool_calls: toolCalls } };
  if (sealed !== undefined) return [{ type: 'reasoning.encrypted', data: writeSignature(sealed, CHAT), ...position }];
  if (signature === undefined) return [];
  return [{ type: 'reasoning.text', text, signature: writeSignature(signature, CHAT), ...position }];
}

const FIRST: Position = { content: 0, toolCalls: 0 };

/** The proof of a tool call, as it stands with the call. */
export function readCallSignature(call: JsonRecord): string | undefined {
  const google = asRecord(asRecord(call['extra_content'])?.['google']);
  return asText(google?.['thought_signature']) || undefined;
}

export function writeCallSignature(signature: Signature | undefined): JsonRecord {
  if (signature === undefined) return {};
  return { extra_content: { google: { thought_signature: writeSignature(signature, CHAT) } } };
}
