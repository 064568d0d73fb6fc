// Requests for vectors in the neutral form. There they are text, and all of one size.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { EmbeddingWish } from '../../neutral/embedding.ts';
import { readKnown } from '../gemini-generate-content/spelling.ts';
import { asList, asNumber, asRecord, type JsonRecord, parseRecord } from '../json/json-value.ts';

const KNOWN: ReadonlySet<string> = new Set(['model', 'content', 'outputDimensionality']);

interface OneWish {
  text: string;
  dimensions: number | undefined;
}

export function readSingleWish(body: Buffer, model: string): EmbeddingWish {
  const unknown: string[] = [];
  const one = readOne(parseRecord(body) ?? {}, '', unknown);
  return wishOf(model, [one], unknown);
}

export function readBatchWish(body: Buffer, model: string): EmbeddingWish {
  const unknown: string[] = [];
  const all = asList(parseRecord(body)?.['requests']).map((one, index) =>
    readOne(asRecord(one) ?? {}, `requests[${index}].`, unknown),
  );
  const other = all.findIndex(({ dimensions }) => dimensions !== all[0]?.dimensions);
  if (other > 0) {
    const path = `requests[${other}].outputDimensionality`;
    throw invalidRequest(`'${path}' must be the same in all requests for this model.`, path);
  }
  return wishOf(model, all, unknown);
}

function wishOf(model: string, all: readonly OneWish[], unknown: string[]): EmbeddingWish {
  const dimensions = all[0]?.dimensions;
  return {
    model,
    texts: all.map(({ text }) => text),
    ...(dimensions !== undefined && { dimensions }),
    encoding: 'float',
    unknown,
  };
}

function readOne(wire: JsonRecord, prefix: string, unknown: string[]): OneWish {
  const known = readKnown(wire, KNOWN, { prefix, unknown });
  const texts = asList(asRecord(known['content'])?.['parts']).map((part, index) => {
    const text = asRecord(part)?.['text'];
    if (typeof text === 'string') return text;
    const path = `${prefix}content.parts[${index}]`;
    throw invalidRequest(`'${path}' must be text for this model.`, path);
  });
  return { text: texts.join('\n'), dimensions: asNumber(known['outputDimensionality']) };
}
