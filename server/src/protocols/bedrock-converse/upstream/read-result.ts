// A whole answer in the neutral form; blocks that nobody else knows are skipped.
import type { GenerationResult, OutputPart } from '../../../neutral/generation.ts';
import { asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import { readReason } from '../finish-reason.ts';
import { readUsage } from '../usage.ts';
import { NAME } from '../wire.ts';

/** undefined when the bytes are not an answer of this protocol. */
export function readResult(body: Buffer): GenerationResult | undefined {
  const answer = parseRecord(body);
  const blocks = asRecord(asRecord(answer?.['output'])?.['message'])?.['content'];
  if (answer === undefined || !Array.isArray(blocks)) return undefined;
  return {
    id: undefined,
    content: blocks.flatMap((block) => readBlock(asRecord(block) ?? {}) ?? []),
    finish: { reason: readReason(answer['stopReason']) },
    usage: readUsage(answer['usage']),
  };
}

function readBlock(block: JsonRecord): OutputPart | undefined {
  const text = asText(block['text']);
  if (text !== undefined) return { type: 'text', text, path: '' };
  const call = asRecord(block['toolUse']);
  const name = asText(call?.['name']);
  if (call !== undefined && name !== undefined) {
    const id = asText(call['toolUseId']) ?? '';
    return { type: 'tool-call', id, name, arguments: JSON.stringify(asRecord(call['input']) ?? {}), path: '' };
  }
  const reasoning = asRecord(block['reasoningContent']);
  return reasoning === undefined ? undefined : readReasoning(reasoning);
}

function readReasoning(reasoning: JsonRecord): OutputPart | undefined {
  const sealed = asText(reasoning['redactedContent']);
  if (sealed !== undefined) return { type: 'reasoning', text: '', sealed: { protocol: NAME, value: sealed }, path: '' };
  const reasoningText = asRecord(reasoning['reasoningText']);
  if (reasoningText === undefined) return undefined;
  const value = asText(reasoningText['signature']) ?? '';
  const signature = value === '' ? {} : { signature: { protocol: NAME, value } };
  return { type: 'reasoning', text: asText(reasoningText['text']) ?? '', path: '', ...signature };
}
