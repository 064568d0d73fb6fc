// Requests for vectors in the neutral form. There they are text, and all of one size.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { EmbeddingRequest } from '../../neutral/embedding.ts';
import { readKnown } from '../gemini-generate-content/spelling.ts';
import { asList, asNumber, asRecord, type JsonRecord, parseRecord } from '../json/json-value.ts';

const KNOWN: ReadonlySet<string> = new Set(['model', 'content', 'outputDimensionality']);

interface OneRequest {
  text: string;
  dimensions: number | undefined;
}

export function readSingleRequest(body: Buffer, model: string): EmbeddingRequest {
  const unknown: string[] = [];
  const one = readOne(parseRecord(body) ?? {}, '', unknown);
  return embeddingRequestOf(model, [one], unknown);
}

export function readBatchRequest(body: Buffer, model: string): EmbeddingRequest {
  const unknown: string[] = [];
  const all = asList(parseRecord(body)?.['requests']).map((one, index) =>
    readOne(asRecord(one) ?? {}, `requests[${index}].`, unknown),
  );
  const other = all.findIndex(({ dimensions }) => dimensions !== all[0]?.dimensions);
  if (other > 0) {
    const path = `requests[${other}].outputDimensionality`;
    throw invalidRequest(`'${path}' must be the same in all requests for this model.`, path);
  }
  return embeddingRequestOf(model, all, unknown);
}

function embeddingRequestOf(model: string, all: readonly OneRequest[], unknown: string[]): EmbeddingRequest {
  const dimensions = all[0]?.dimensions;
  return {
    model,
    texts: all.map(({ text }) => text),
    ...(dimensions !== undefined && { dimensions }),
    encoding: 'float',
    unknown,
  };
}

function readOne(wire: JsonRecord, prefix: string, unknown: string[]): OneRequest {
  const known = readKnown(wire, KNOWN, { prefix, unknown });
  const texts = asList(asRecord(known['content'])?.['parts']).map((part, index) => {
    const text = asRecord(part)?.['text'];
    if (typeof text === 'string') return text;
    const path = `${prefix}content.parts[${index}]`;
    throw invalidRequest(`'${path}' must be text for this model.`, path);
  });
  return { text: texts.join('\n'), dimensions: asNumber(known['outputDimensionality']) };
}
