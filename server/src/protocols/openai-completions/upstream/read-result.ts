// A whole completion in the neutral form, for callers of another protocol.
import type { GenerationResult } from '../../../neutral/generation.ts';
import { asList, asRecord, asText, parseRecord } from '../../json/json-value.ts';
import { readFinishReason } from '../../openai-chat/finish-reason.ts';
import { readTokenUsage } from '../../openai-chat/read-answer.ts';

export function readResult(body: Buffer): GenerationResult | undefined {
  const wire = parseRecord(body);
  const choice = asRecord(asList(wire?.['choices'])[0]);
  const text = asText(choice?.['text']);
  if (wire === undefined || choice === undefined || text === undefined) return undefined;
  const shown = { callsTools: false, refuses: false };
  return {
    id: asText(wire['id']),
    content: text === '' ? [] : [{ type: 'text', text, path: '' }],
    finish: { reason: readFinishReason(asText(choice['finish_reason']), shown) },
    usage: readTokenUsage(wire['usage']),
  };
}
