// Reads the fields that image generation and edit share. https://platform.openai.com/docs/api-reference/images/create
import { checkBoolean, checkNumber, checkOneOf, checkText, refuseMissing } from '../../fields/check-fields.ts';
import { refuse, type WireObject } from '../../fields/refuse.ts';

export type ImageRequest = {
  model: string;
  prompt: string;
  count: number;
  width: number;
  height: number;
  quality: string;
  background: 'auto' | 'transparent' | 'opaque';
  format: 'url' | 'b64_json';
  stream: boolean;
  partialImages: number;
  /** Whether the model counts tokens. */
  countsTokens: boolean;
};

const defaultModel = 'gpt-image-1';
const promptLimit = 32_000;
const sideLimit = 4096;
const qualities = ['auto', 'standard', 'hd', 'low', 'medium', 'high'] as const;

export function readImageRequest(body: WireObject): ImageRequest {
  const model = checkText(body['model'], 'model') ?? defaultModel;
  const prompt = checkText(body['prompt'], 'prompt') ?? refuseMissing('prompt');
  if (prompt.trim() === '') refuseMissing('prompt');
  if (prompt.length > promptLimit) {
    refuse('prompt', `Invalid 'prompt': string too long. Expected at most ${promptLimit}.`, 'string_above_max_length');
  }
  const countsTokens = model.includes('gpt-image') || model.includes('sandbox-image-tokens');
  const count = checkNumber(body['n'], 'n', { least: 1, most: model === 'dall-e-3' ? 1 : 10, whole: true }) ?? 1;
  checkOneOf(body['style'], 'style', ['vivid', 'natural']);
  checkOneOf(body['moderation'], 'moderation', ['auto', 'low']);
  checkOneOf(body['input_fidelity'], 'input_fidelity', ['high', 'low']);
  checkOutput(body);
  return {
    model,
    prompt,
    count,
    ...readSize(checkText(body['size'], 'size') ?? 'auto'),
    quality: checkOneOf(body['quality'], 'quality', qualities) ?? 'auto',
    background: checkOneOf(body['background'], 'background', ['auto', 'transparent', 'opaque']) ?? 'auto',
    format:
      checkOneOf(body['response_format'], 'response_format', ['url', 'b64_json']) ??
      (countsTokens ? 'b64_json' : 'url'),
    stream: checkBoolean(body['stream'], 'stream'),
    partialImages: checkNumber(body['partial_images'], 'partial_images', { least: 0, most: 3, whole: true }) ?? 0,
    countsTokens,
  };
}

/** The sandbox writes PNG and nothing else, and a PNG is always complete. */
function checkOutput(body: WireObject): void {
  checkOneOf(body['output_format'], 'output_format', ['png']);
  const field = 'output_compression';
  const compression = checkNumber(body[field], field, { least: 0, most: 100, whole: true });
  if (compression === undefined || compression === 100) return;
  refuse(field, 'Compression less than 100 is not supported for PNG output format.', 'invalid_value');
}

function readSize(size: string): { width: number; height: number } {
  if (size === 'auto') return { width: 1024, height: 1024 };
  const [, width = 0, height = 0] = (/^([1-9]\d{0,3})x([1-9]\d{0,3})$/.exec(size) ?? []).map(Number);
  if (width < 1 || height < 1 || width > sideLimit || height > sideLimit) {
    const expected = `Expected 'auto' or WIDTHxHEIGHT, each side ${sideLimit} at most, with the letter x.`;
    refuse('size', `Invalid value for 'size': '${size.slice(0, 40)}'. ${expected}`, 'invalid_value');
  }
  return { width, height };
}
