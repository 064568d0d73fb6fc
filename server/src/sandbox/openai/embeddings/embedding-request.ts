// Reads the body of an embeddings request. https://platform.openai.com/docs/api-reference/embeddings/create
import { checkBody, checkModelName, checkNumber, checkOneOf, refuseMissing } from '../../fields/check-fields.ts';
import { refuse } from '../../fields/refuse.ts';
import { removeDirectives } from '../../directives.ts';
import { countTokens } from '../../text/tokens.ts';

export type EmbeddingInput = { text: string; tokens: number };

export type EmbeddingRequest = {
  model: string;
  inputs: EmbeddingInput[];
  format: 'float' | 'base64';
  dimensions: number;
};

const inputLimit = 2048;
const tokenLimit = 8192;
const largeDimensions = 3072;
const smallDimensions = 1536;

export function readEmbeddingRequest(given: unknown): EmbeddingRequest {
  const body = checkBody(given);
  const model = checkModelName(body['model']);
  const inputs = readInputs(body['input']);
  const most = model.includes('small') ? smallDimensions : largeDimensions;
  return {
    model,
    inputs,
    format: checkOneOf(body['encoding_format'], 'encoding_format', ['float', 'base64']) ?? 'float',
    dimensions:
      checkNumber(body['dimensions'], 'dimensions', { least: 1, most, whole: true }) ??
      (model.includes('large') ? largeDimensions : smallDimensions),
  };
}

function readInputs(input: unknown): EmbeddingInput[] {
  if (input === undefined || input === null) refuseMissing('input');
  if (typeof input === 'string') return [readInput(input, 'input')];
  if (!Array.isArray(input)) refuse('input', "Invalid type for 'input': expected a string or an array.");
  if (input.length === 0) refuse('input', "Invalid 'input': empty array.", 'empty_array');
  if (input.every(isTokenNumber)) return [readInput(input, 'input')];
  if (input.length > inputLimit) {
    refuse('input', `Invalid 'input': array too long. Expected at most ${inputLimit}.`, 'array_above_max_length');
  }
  return input.map((one: unknown, index) => readInput(one, `input[${index}]`));
}

function readInput(input: unknown, at: string): EmbeddingInput {
  const isTokens = Array.isArray(input) && input.length > 0 && input.every(isTokenNumber);
  if (!isTokens && typeof input !== 'string') {
    refuse(at, `Invalid type for '${at}': expected a string or an array of token numbers.`);
  }
  if (input === '') refuse(at, `Invalid '${at}': input cannot be an empty string.`, 'invalid_value');
  const tokens = isTokens ? input.length : countTokens(input as string);
  if (tokens > tokenLimit) {
    const message = `Invalid '${at}': maximum context length is ${tokenLimit} tokens, but got ${tokens} tokens.`;
    refuse(at, message, 'context_length_exceeded');
  }
  return { text: isTokens ? input.join(' ') : removeDirectives(input as string), tokens };
}

function isTokenNumber(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}
