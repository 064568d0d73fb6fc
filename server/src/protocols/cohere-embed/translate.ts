// Requests to /v2/embed in the neutral form, and vectors as its clients get them.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type EmbeddingRequest, type EmbeddingResult, estimateTexts } from '../../neutral/embedding.ts';
import {
  asList,
  asNumber,
  asRecord,
  asText,
  type JsonRecord,
  optionalList,
  parseRecord,
  unknownFields,
} from '../json/json-value.ts';
import { toBase64 } from '../openai-embeddings/translate.ts';

const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'texts',
  'inputs',
  'embedding_types',
  'output_dimension',
  'truncate',
]);
/** What is said of inputs that are too long; upstreams of other protocols cut or refuse as they like. */
const USUAL_TRUNCATE = 'END';
const ENCODINGS = ['float', 'base64'] as const;

/** Throws invalid_request where it holds something else than text, or wants numbers that only one vendor makes. */
export function readEmbeddingRequest(body: Buffer): EmbeddingRequest {
  const wire = parseRecord(body) ?? {};
  const dimensions = asNumber(wire['output_dimension']);
  const encodings = readEncodings(wire['embedding_types']);
  const isCut = asText(wire['truncate'])?.toUpperCase() ?? USUAL_TRUNCATE;
  return {
    model: asText(wire['model']) ?? '',
    texts: readTexts(wire),
    ...(dimensions !== undefined && { dimensions }),
    encoding: encodings[0] ?? 'float',
    ...(encodings.length > 1 && { encodings }),
    unknown: [...unknownFields(wire, KNOWN), ...(isCut === USUAL_TRUNCATE ? [] : ['truncate'])],
  };
}

function readTexts(wire: JsonRecord): string[] {
  if ((wire['images'] ?? null) !== null)
    throw invalidRequest("'images' cannot be sent to this model's provider. Send 'texts'.", 'images');
  if ((wire['inputs'] ?? null) === null) return asList(wire['texts']).map(String);
  return asList(wire['inputs']).map((input, index) => {
    const path = `inputs[${index}].content`;
    const content = asRecord(input)?.['content'];
    if (typeof content === 'string') return content;
    const texts = asList(content).map((part, at) => {
      const text = asRecord(part)?.['text'];
      if (typeof text === 'string') return text;
      throw invalidRequest(`'${path}[${at}]' must be text for this model.`, `${path}[${at}]`);
    });
    if (texts.length === 0) throw invalidRequest(`'${path}' must not be empty.`, path);
    return texts.join('\n');
  });
}

function readEncodings(value: unknown): ('float' | 'base64')[] {
  return optionalList(value, 'embedding_types').map((one, index) => {
    const encoding = ENCODINGS.find((known) => known === one);
    if (encoding !== undefined) return encoding;
    const path = `embedding_types[${index}]`;
    throw invalidRequest(`'${path}' must be float or base64 for this model.`, path);
  });
}

export function writeResult({ vectors, usage }: EmbeddingResult, asked: EmbeddingRequest, id: string): Buffer {
  const { texts, encoding, encodings = [encoding] } = asked;
  const tokens = usage?.input ?? estimateTexts(texts);
  return Buffer.from(
    JSON.stringify({
      id,
      response_type: 'embeddings_by_type',
      embeddings: {
        ...(encodings.includes('float') && { float: vectors }),
        ...(encodings.includes('base64') && { base64: vectors.map(toBase64) }),
      },
      texts,
      meta: { api_version: { version: '2' }, billed_units: { input_tokens: tokens } },
    }),
  );
}
