// A whole chat answer in the neutral form, for callers of another protocol.
import type { Citation } from '../../../neutral/conversation.ts';
import type { GenerationResult, OutputPart } from '../../../neutral/generation.ts';
import { asList, asNumber, asRecord, asText, type JsonRecord, parseRecord } from '../../json-value.ts';
import { readFinishReason } from '../finish-reason.ts';
import { readTokenUsage } from '../read-usage.ts';

export function readResult(body: Buffer): GenerationResult | undefined {
  const wire = parseRecord(body);
  const choice = asRecord(asList(wire?.['choices'])[0]);
  const message = asRecord(choice?.['message']);
  if (wire === undefined || choice === undefined || message === undefined) return undefined;
  const id = asText(wire['id']);
  const content = readMessageContent(message, id ?? 'chat');
  const isRefusal = content.some((part) => part.type === 'refusal');
  const reason = readFinishReason(asText(choice['finish_reason']) ?? 'stop');
  return {
    id,
    content,
    finish: { reason: isRefusal && reason === 'stop' ? 'refusal' : reason },
    usage: readTokenUsage(wire['usage']),
  };
}

function readMessageContent(message: JsonRecord, id: string): OutputPart[] {
  const parts: OutputPart[] = [];
  const reasoning = asText(message['reasoning_content']) ?? asText(message['reasoning']) ?? '';
  if (reasoning !== '') parts.push({ type: 'reasoning', text: reasoning, path: '' });
  const text = asText(message['content']) ?? '';
  const citations = asList(message['annotations']).flatMap(readAnnotation);
  if (text !== '') parts.push({ type: 'text', text, ...(citations.length > 0 && { citations }), path: '' });
  const refusal = asText(message['refusal']) ?? '';
  if (refusal !== '') parts.push({ type: 'refusal', text: refusal, path: '' });
  for (const [index, one] of asList(message['tool_calls']).entries()) {
    const called = asRecord(asRecord(one)?.['function']);
    const name = asText(called?.['name']);
    if (name === undefined) continue;
    const callId = asText(asRecord(one)?.['id']) || `call_${id}_${index}`;
    parts.push({ type: 'tool-call', id: callId, name, arguments: asText(called?.['arguments']) || '{}', path: '' });
  }
  return parts;
}

export function readAnnotation(value: unknown): Citation[] {
  const wire = asRecord(asRecord(value)?.['url_citation']);
  const url = asText(wire?.['url']);
  if (wire === undefined || url === undefined) return [];
  const title = asText(wire['title']);
  const start = asNumber(wire['start_index']);
  const end = asNumber(wire['end_index']);
  return [
    {
      url,
      ...(title !== undefined && { title }),
      ...(start !== undefined && { start }),
      ...(end !== undefined && { end }),
    },
  ];
}
