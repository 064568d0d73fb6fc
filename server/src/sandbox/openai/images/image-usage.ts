// What an image costs in tokens, for the models that count them: by size, quality and the images given.
import type { Behaviour } from '../../scenarios.ts';
import { spoilUsage } from '../../text/spoil-usage.ts';
import { countTokens } from '../../text/tokens.ts';
import type { ImageRequest } from './image-request.ts';

/** For 1024 x 1024; other sizes in proportion. */
const tokensByQuality: Readonly<Record<string, number>> = {
  low: 272,
  standard: 1056,
  medium: 1056,
  high: 4160,
  hd: 4160,
};
const tokensPerInputImage = 323;
const tokensPerPartialImage = 100;

/** Undefined for models that count no tokens. */
export function writeImageUsage(
  request: ImageRequest,
  inputImages: number,
  behaviour: Behaviour,
): Record<string, unknown> | undefined {
  if (!request.countsTokens) return undefined;
  const { width, height, quality, count, partialImages, stream, prompt } = request;
  const perImage = Math.max(1, Math.round(((tokensByQuality[quality] ?? 1056) * width * height) / 1024 ** 2));
  const output = count * (perImage + (stream ? partialImages * tokensPerPartialImage : 0));
  const details = { text_tokens: countTokens(prompt), image_tokens: inputImages * tokensPerInputImage };
  const input = details.text_tokens + details.image_tokens;
  const usage = {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_tokens_details: details,
    output_tokens_details: { text_tokens: 0, image_tokens: output },
  };
  return spoilUsage(usage, behaviour);
}
