// A whole answer of this protocol in the neutral form; blocks that nobody else knows are skipped.
import type { GenerationResult, OutputPart } from '../../../neutral/generation.ts';
import { asList, asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import { readCitation } from '../citations.ts';
import { readFinish } from '../finish-reason.ts';
import { readUsage } from '../usage.ts';
import { NAME } from '../wire.ts';

/** undefined when the bytes are not an answer of this protocol. */
export function readResult(body: Buffer): GenerationResult | undefined {
  const answer = parseRecord(body);
  const blocks = answer?.['content'];
  if (answer === undefined || answer['type'] === 'error' || !Array.isArray(blocks)) return undefined;
  const explanation = readExplanation(answer);
  const content = blocks.flatMap((block) => readBlock(asRecord(block) ?? {}) ?? []);
  if (explanation !== undefined) content.push({ type: 'refusal', text: explanation, path: '' });
  return {
    id: asText(answer['id']),
    content,
    finish: readFinish(answer),
    usage: readUsage(answer['usage']),
  };
}

/** Why the model declined, beside what it had said by then. */
export function readExplanation(stop: JsonRecord): string | undefined {
  const explanation = asText(asRecord(stop['stop_details'])?.['explanation']);
  return explanation === '' ? undefined : explanation;
}

function readBlock(block: JsonRecord): OutputPart | undefined {
  const { type } = block;
  if (type === 'text') return readText(block);
  if (type === 'thinking') {
    const value = asText(block['signature']) ?? '';
    const text = asText(block['thinking']) ?? '';
    return { type: 'reasoning', text, path: '', ...(value !== '' && { signature: { protocol: NAME, value } }) };
  }
  if (type === 'redacted_thinking') {
    const value = asText(block['data']);
    return value === undefined
      ? undefined
      : { type: 'reasoning', text: '', sealed: { protocol: NAME, value }, path: '' };
  }
  if (type !== 'tool_use') return undefined;
  const name = asText(block['name']);
  if (name === undefined) return undefined;
  const id = asText(block['id']) ?? '';
  return { type: 'tool-call', id, name, arguments: JSON.stringify(asRecord(block['input']) ?? {}), path: '' };
}

function readText(block: JsonRecord): OutputPart {
  const text = asText(block['text']) ?? '';
  const citations = asList(block['citations']).flatMap((reported) => {
    const citation = readCitation(reported);
    return citation === undefined ? [] : [{ ...citation, start: 0, end: text.length }];
  });
  return { type: 'text', text, path: '', ...(citations.length > 0 && { citations }) };
}
