// A whole generate-content answer in the neutral form: a stream of one piece.
import { foldParts } from '../../../neutral/fold-parts.ts';
import type { GenerationResult } from '../../../neutral/generation.ts';
import { asList, asRecord, parseRecord } from '../../json/json-value.ts';
import { ContentPartsReader } from './read-stream.ts';

export function readResult(body: Buffer): GenerationResult | undefined {
  const wire = parseRecord(body);
  if (wire === undefined || asRecord(wire['error']) !== undefined) return undefined;
  const reader = new ContentPartsReader();
  const parts = reader.read(wire);
  // A whole answer is over, whether or not it says why.
  const [candidate] = asList(wire['candidates']);
  const isBare = asRecord(asRecord(candidate)?.['content']) !== undefined && reader.isUnfinished;
  if (isBare) parts.push(...reader.read({ candidates: [{ finishReason: 'STOP' }] }));
  return foldParts([...parts, ...reader.end()]);
}
