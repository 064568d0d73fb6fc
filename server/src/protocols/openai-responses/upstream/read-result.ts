// A whole response in the neutral form, for callers of another protocol.
import type { Citation, ReasoningPart } from '../../../neutral/conversation.ts';
import type { GenerationResult, OutputPart } from '../../../neutral/generation.ts';
import { asList, asNumber, asRecord, asText, type JsonRecord, parseRecord } from '../../json-value.ts';
import { readFinishReason } from '../finish-reason.ts';
import { readResponseUsage } from '../read-answer.ts';
import { RESPONSES } from '../wire.ts';

export function readResult(body: Buffer): GenerationResult | undefined {
  const wire = parseRecord(body);
  if (wire === undefined || !Array.isArray(wire['output'])) return undefined;
  return {
    id: asText(wire['id']),
    content: wire['output'].flatMap((item) => readItem(asRecord(item) ?? {})),
    finish: { reason: readFinishReason(wire) },
    usage: readResponseUsage(wire['usage']),
  };
}

function readItem(item: JsonRecord): OutputPart[] {
  switch (item['type']) {
    case 'message':
      return asList(item['content']).flatMap((part) => readPart(asRecord(part) ?? {}));
    case 'function_call': {
      const id = asText(item['call_id']) ?? asText(item['id']) ?? '';
      const text = asText(item['arguments']) || '{}';
      return [{ type: 'tool-call', id, name: asText(item['name']) ?? '', arguments: text, path: '' }];
    }
    case 'reasoning': {
      const part = readReasoningItem(item);
      return part.text === '' && part.signature === undefined ? [] : [part];
    }
    default:
      return [];
  }
}

function readPart(part: JsonRecord): OutputPart[] {
  const refusal = asText(part['refusal']);
  if (part['type'] === 'refusal' && refusal !== undefined) return [{ type: 'refusal', text: refusal, path: '' }];
  const text = asText(part['text']);
  if (part['type'] !== 'output_text' || text === undefined) return [];
  const citations = asList(part['annotations']).flatMap(readAnnotation);
  return [{ type: 'text', text, ...(citations.length > 0 && { citations }), path: '' }];
}

export function readReasoningItem(item: JsonRecord): ReasoningPart {
  const texts = [...asList(item['summary']), ...asList(item['content'])];
  const text = texts.map((one) => asText(asRecord(one)?.['text']) ?? '').join('\n\n');
  const sealed = asText(item['encrypted_content']);
  if (sealed === undefined) return { type: 'reasoning', text, path: '' };
  const value = `${asText(item['id']) ?? ''}:${sealed}`;
  return { type: 'reasoning', text, signature: { protocol: RESPONSES, value }, path: '' };
}

export function readAnnotation(value: unknown): Citation[] {
  const wire = asRecord(value) ?? {};
  const url = asText(wire['url']);
  if (url === undefined) return [];
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
