// A whole answer of this protocol in the neutral form: a stream of whole blocks.
import { foldParts } from '../../../neutral/fold-parts.ts';
import type { GenerationResult } from '../../../neutral/generation.ts';
import type { StreamPart } from '../../../neutral/stream-part.ts';
import { asList, asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import { readFinish } from '../finish-reason.ts';
import { readUsage } from '../usage.ts';
import { BlockReader, readBlockStart } from './block-reader.ts';

/** undefined when the bytes are not an answer of this protocol. */
export function readResult(body: Buffer): GenerationResult | undefined {
  const answer = parseRecord(body);
  const blocks = answer?.['content'];
  if (answer === undefined || answer['type'] === 'error' || !Array.isArray(blocks)) return undefined;
  return foldParts([
    { type: 'start', id: asText(answer['id']) },
    ...blocks.flatMap((block, index) => readBlock(asRecord(block) ?? {}, index)),
    ...explain(answer, blocks.length),
    { type: 'finish', finish: readFinish(answer), usage: readUsage(answer['usage']) },
  ]);
}

/** Why the model declined, beside what it had said by then: a block with this index. */
export function explain(stop: JsonRecord, index: number): StreamPart[] {
  const text = asText(asRecord(stop['stop_details'])?.['explanation']) ?? '';
  if (text === '') return [];
  return [
    { type: 'block-start', index, block: { type: 'refusal' } },
    { type: 'delta', index, text },
    { type: 'block-end', index },
  ];
}

/** A block that comes at once. */
function readBlock(block: JsonRecord, index: number): StreamPart[] {
  const start = readBlockStart(block);
  if (start === undefined) return [];
  const reader = new BlockReader(index, start);
  const text = reader.begin(block);
  for (const citation of asList(block['citations'])) reader.delta({ type: 'citations_delta', citation });
  return [...text, ...reader.end()];
}
