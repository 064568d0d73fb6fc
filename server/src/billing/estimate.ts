// How much to hold before a call: deliberately a little too much, since what is held bounds what a call may cost.
import type { Model } from '../catalogue/catalogue.ts';

/** The shape of a text request, in sizes. */
export interface TextSize {
  inputBytes: number;
  mediaCount: number;
  maxOutputTokens: number | undefined;
  choices: number;
  /** What is asked for is images: each choice is one. */
  images?: object | undefined;
}

export interface TokenEstimate {
  input: number;
  output: number;
}

/** Held for output when neither the request nor the model names a maximum. */
export const DEFAULT_MAX_OUTPUT = 4_096;
/** What an answer may come to when nobody says: held when there is little money left. */
export const LARGEST_USUAL_OUTPUT = 32_768;
/** The same for one image: a large one of high quality. */
export const DEFAULT_IMAGE_OUTPUT = 6_240;
/** One that was made, where nobody counted. */
export const USUAL_IMAGE_OUTPUT = 1_056;
/** An image or a piece of audio, whatever its bytes. */
const TOKENS_PER_MEDIA = 1_500;
const HOLD_BYTES_PER_TOKEN = 3;
const FAIR_BYTES_PER_TOKEN = 4;

/** What a request can come to at most, as far as its size tells. */
export function estimateForHold(size: TextSize, model: Pick<Model, 'maxOutputTokens'>): TokenEstimate {
  const usual = size.images === undefined ? DEFAULT_MAX_OUTPUT : DEFAULT_IMAGE_OUTPUT;
  return {
    input: Math.ceil(size.inputBytes / HOLD_BYTES_PER_TOKEN) + estimateMedia(size),
    output: (size.maxOutputTokens ?? model.maxOutputTokens ?? usual) * size.choices,
  };
}

/** The part of the input that is embedded media. */
export function estimateMedia(size: Pick<TextSize, 'mediaCount'>): number {
  return size.mediaCount * TOKENS_PER_MEDIA;
}

/** The likely input of a request whose upstream never said: charged when nothing better is known. */
export function estimateInput(size: TextSize): number {
  return Math.ceil(size.inputBytes / FAIR_BYTES_PER_TOKEN) + estimateMedia(size);
}

/** The likely output tokens in bytes of an answer without usage. */
export function estimateOutput(bytes: number): number {
  return Math.ceil(bytes / FAIR_BYTES_PER_TOKEN);
}
