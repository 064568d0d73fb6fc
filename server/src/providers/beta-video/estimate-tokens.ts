// Tokens that a task of family beta may come to, for the hold: what the upstream publishes as its formula, with every
// unknown taken at its most expensive. The charge goes by what the upstream counts.
import type { Forwarded } from './forwarding-map.ts';
import { framePixels } from './frame-size.ts';
import { readSuffixes } from './prompt-suffixes.ts';

export interface EstimateFacts {
  model: string;
  upstreamModel: string;
  prompt: string;
  forwarded: Forwarded;
  holdsVideo: boolean;
}

const FRAMES_PER_SECOND = 24;
const PIXELS_PER_TOKEN = 1024;
/** Published counts are up to one percent above the formula. */
const MARGIN_PERCENT = 102;
const DEFAULT_SECONDS = 5;
/** The upstream's default is lower for most models; the spec says this. */
const DEFAULT_RESOLUTION = '1080p';
/** Clips sent in may have this length together. */
const VIDEO_INPUT_SECONDS = 15;
/** Far beyond what any model makes: only keeps the number a number. */
const MOST_SECONDS = 3_600;
const GENERATION = /(?<!\d)(\d)-(\d)(?!\d)/;

export function estimateTokens(facts: EstimateFacts): number {
  const generation = generationOf(facts);
  const seconds = outputSeconds(facts, generation) + (facts.holdsVideo ? VIDEO_INPUT_SECONDS : 0);
  const frames = Math.ceil(seconds * FRAMES_PER_SECOND) + 1;
  return Math.ceil((frames * framePixelsOf(facts, generation) * MARGIN_PERCENT) / (PIXELS_PER_TOKEN * 100));
}

interface Generation {
  /** Frames, where they are sent, decide over the duration. */
  countsFrames: boolean;
  longestSeconds: number;
  largestResolution: string;
}

function generationOf({ model, upstreamModel }: EstimateFacts): Generation {
  const name = GENERATION.test(upstreamModel) ? upstreamModel : model;
  const [, major, minor] = GENERATION.exec(name) ?? [];
  const isFirst = major === '1';
  return {
    countsFrames: isFirst && minor === '0',
    longestSeconds: isFirst ? 12 : 15,
    largestResolution: isFirst || name.includes('-fast') ? '1080p' : '4k',
  };
}

function outputSeconds({ forwarded, prompt }: EstimateFacts, { countsFrames, longestSeconds }: Generation): number {
  const { duration = DEFAULT_SECONDS, frames } = forwarded;
  const stated = duration > 0 ? duration : longestSeconds; // -1: the model chooses
  const counted = frames === undefined ? 0 : frames / FRAMES_PER_SECOND;
  const asked = countsFrames && counted > 0 ? counted : Math.max(stated, counted);
  const suffixes = readSuffixes(prompt);
  const hidden = Math.max(suffixes.seconds ?? 0, (suffixes.frames ?? 0) / FRAMES_PER_SECOND);
  // What is out of range in a suffix falls back to a default, and is no error as in the body.
  return Math.min(MOST_SECONDS, Math.max(asked, Math.min(hidden, longestSeconds)));
}

function framePixelsOf({ forwarded, prompt }: EstimateFacts, { largestResolution }: Generation): number {
  const suffixes = readSuffixes(prompt);
  const ratio = suffixes.namesRatio ? undefined : forwarded.ratio;
  const resolutions = [forwarded.resolution ?? DEFAULT_RESOLUTION, ...suffixes.resolutions];
  return Math.max(...resolutions.map((one) => framePixels(one, ratio) ?? framePixels(largestResolution, ratio) ?? 0));
}
