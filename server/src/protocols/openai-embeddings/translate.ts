// Embeddings in the neutral form, for upstreams and clients of another protocol.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type EmbeddingResult, type EmbeddingRequest, estimateTexts } from '../../neutral/embedding.ts';
import { asCount, asList, asNumber, asRecord, asText, parseRecord, unknownFields } from '../json/json-value.ts';
import { rewriteRecord } from '../json/write-json.ts';
import type { RequestTarget } from '../protocol.ts';
import { readInputUsage } from './read-answer.ts';

const KNOWN: ReadonlySet<string> = new Set(['model', 'input', 'dimensions', 'encoding_format']);

/** Throws invalid_request where the input is tokens, which mean something to one vendor's models only. */
export function readEmbeddingRequest(body: Buffer): EmbeddingRequest {
  const wire = parseRecord(body) ?? {};
  const input = typeof wire['input'] === 'string' ? [wire['input']] : asList(wire['input']);
  const dimensions = asNumber(wire['dimensions']);
  return {
    model: asText(wire['model']) ?? '',
    texts: input.map((one) => {
      if (typeof one === 'string') return one;
      throw invalidRequest("'input' must be text for this model.", 'input');
    }),
    ...(dimensions !== undefined && { dimensions }),
    encoding: wire['encoding_format'] === 'base64' ? 'base64' : 'float',
    unknown: unknownFields(wire, KNOWN),
  };
}

export function writeEmbeddingRequest({ texts, dimensions }: EmbeddingRequest, target: RequestTarget): Buffer {
  const { upstreamModel, dropFields, rewrite } = target;
  const encoding = dropFields.includes('encoding_format') ? {} : { encoding_format: 'float' };
  const wire = { model: upstreamModel, input: texts, dimensions, ...encoding };
  return Buffer.from(JSON.stringify(rewriteRecord(wire, rewrite)));
}

export function readResult(body: Buffer): EmbeddingResult | undefined {
  const wire = parseRecord(body);
  if (!Array.isArray(wire?.['data'])) return undefined;
  const vectors = new Map<number, number[]>();
  for (const [index, one] of wire['data'].entries()) {
    const record = asRecord(one);
    const vector = readVector(record?.['embedding']);
    if (vector === undefined) return undefined;
    vectors.set(asCount(record?.['index']) ?? index, vector);
  }
  const ordered = wire['data'].flatMap((_, index) => {
    const vector = vectors.get(index);
    return vector === undefined ? [] : [vector];
  });
  return { vectors: ordered, usage: readInputUsage(wire['usage']) };
}

export function writeResult({ vectors, usage }: EmbeddingResult, { model, texts, encoding }: EmbeddingRequest): Buffer {
  const tokens = usage?.input ?? estimateTexts(texts);
  return Buffer.from(
    JSON.stringify({
      object: 'list',
      data: vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: encoding === 'base64' ? toBase64(vector) : vector,
      })),
      model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }),
  );
}

/** Some upstreams answer in base64 whatever they were asked for. */
function readVector(value: unknown): number[] | undefined {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value, 'base64');
    return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(index * 4));
  }
  return Array.isArray(value) && value.every((one) => typeof one === 'number') ? value : undefined;
}

export function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
