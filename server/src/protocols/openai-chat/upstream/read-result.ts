// A whole chat answer in the neutral form, for callers of another protocol.
import type { Citation } from '../../../neutral/conversation.ts';
import type { GenerationResult, OutputPart } from '../../../neutral/generation.ts';
import { asList, asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import { readUrlCitation } from '../../openai-shared/citations.ts';
import { readFinishReason } from '../finish-reason.ts';
import { readTokenUsage } from '../read-answer.ts';
import { readCallSignature, readReasoningDetails, reasoningOf } from '../reasoning-details.ts';
import { ownCallSignature, ownSignature } from './own-signature.ts';

/** `messageOf` finds what a choice says, for answers that have the same frame around something else. */
export function readResult(
  body: Buffer,
  messageOf = (choice: JsonRecord): JsonRecord | undefined => asRecord(choice['message']),
): GenerationResult | undefined {
  const wire = parseRecord(body);
  const choice = asRecord(asList(wire?.['choices'])[0]);
  const message = choice && messageOf(choice);
  if (wire === undefined || choice === undefined || message === undefined) return undefined;
  const content = readMessage(message);
  const shows = (type: OutputPart['type']): boolean => content.some((part) => part.type === type);
  const shown = { callsTools: shows('tool-call'), refuses: shows('refusal') };
  return {
    id: asText(wire['id']),
    content,
    finish: { reason: readFinishReason(asText(choice['finish_reason']), shown) },
    usage: readTokenUsage(wire['usage']),
  };
}

function readMessage(message: JsonRecord): OutputPart[] {
  const parts = readReasoning(message);
  const text = textOf(message['content']);
  const citations = asList(message['annotations']).flatMap(readAnnotation);
  if (text !== '') parts.push({ type: 'text', text, ...(citations.length > 0 && { citations }), path: '' });
  const refusal = asText(message['refusal']) ?? '';
  if (refusal !== '') parts.push({ type: 'refusal', text: refusal, path: '' });
  return [...parts, ...asList(message['tool_calls']).flatMap(readToolCall)];
}

/** Signed or sealed details stand for all of it; otherwise the plain text does. */
function readReasoning(message: JsonRecord): OutputPart[] {
  const details = readReasoningDetails(message['reasoning_details']);
  const plain = plainReasoning(message);
  const hasSignature = details.some(({ signature, data }) => signature !== undefined || data !== undefined);
  if (plain !== '' && !hasSignature) return [{ type: 'reasoning', text: plain, path: '' }];
  return details.flatMap((detail) => reasoningOf(detail, '', ownSignature));
}

export function plainReasoning(wire: JsonRecord): string {
  return asText(wire['reasoning_content']) ?? asText(wire['reasoning']) ?? '';
}

/** Some providers answer with a list of parts. */
export function textOf(content: unknown): string {
  const parts = asList(content).map((one) => asText(asRecord(one)?.['text']) ?? '');
  return asText(content) ?? parts.join('');
}

function readToolCall(value: unknown): OutputPart[] {
  const wire = asRecord(value) ?? {};
  const called = asRecord(wire['function']);
  const name = asText(called?.['name']) ?? '';
  if (name === '') return [];
  const signature = readCallSignature(wire);
  return [
    {
      type: 'tool-call',
      id: asText(wire['id']) ?? '',
      name,
      arguments: asText(called?.['arguments']) || '{}',
      ...(signature !== undefined && { signature: ownCallSignature(signature) }),
      path: '',
    },
  ];
}

export function readAnnotation(value: unknown): Citation[] {
  return readUrlCitation(asRecord(value)?.['url_citation']);
}
