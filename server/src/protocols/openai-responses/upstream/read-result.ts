// A whole response in the neutral form, for callers of another protocol.
import type { ReasoningPart } from '../../../neutral/conversation.ts';
import type { GenerationResult, OutputPart } from '../../../neutral/generation.ts';
import { asList, asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import { readUrlCitation } from '../../openai-shared/citations.ts';
import { readFinishReason } from '../finish-reason.ts';
import { readResponseUsage } from '../read-answer.ts';
import { reasoningText, sealOf, signatureOf } from '../reasoning.ts';

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

/** Items of other types are the provider's own doing. */
export function readItem(item: JsonRecord): OutputPart[] {
  switch (item['type']) {
    case 'message':
      return asList(item['content']).flatMap((part) => readPart(asRecord(part) ?? {}));
    case 'function_call': {
      const name = asText(item['name']) ?? '';
      const text = asText(item['arguments']) || '{}';
      return name === '' ? [] : [{ type: 'tool-call', id: callId(item), name, arguments: text, path: '' }];
    }
    case 'reasoning': {
      const part = readReasoningItem(item);
      return part.text === '' && part.signature === undefined ? [] : [part];
    }
    default:
      return [];
  }
}

export function callId(item: JsonRecord): string {
  return asText(item['call_id']) ?? asText(item['id']) ?? '';
}

function readPart(part: JsonRecord): OutputPart[] {
  const refusal = asText(part['refusal']);
  if (part['type'] === 'refusal' && refusal !== undefined) return [{ type: 'refusal', text: refusal, path: '' }];
  const text = asText(part['text']);
  if (part['type'] !== 'output_text' || text === undefined) return [];
  const citations = asList(part['annotations']).flatMap(readUrlCitation);
  return [{ type: 'text', text, ...(citations.length > 0 && { citations }), path: '' }];
}

export function readReasoningItem(item: JsonRecord): ReasoningPart {
  const sealed = sealOf(item);
  const signature = sealed !== undefined && { signature: signatureOf(item, sealed) };
  return { type: 'reasoning', text: reasoningText(item), ...signature, path: '' };
}
