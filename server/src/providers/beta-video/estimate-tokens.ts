// Tokens that a task of family beta may come to, for the hold: what the upstream publishes as its formula, with every
// unknown taken at its most expensive. The charge goes by what the upstream counts.
import type { Forwarded } from './forwarding-map.ts';
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

/** Pixels of one frame by resolution and ratio, the larger of what the generations make; portrait ratios have as many as landscape ones. */
const pixels: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '480p': { '16:9': 864 * 496, '4:3': 752 * 560, '1:1': 640 * 640, '21:9': 992 * 432 },
  '720p': { '16:9': 1280 * 720, '4:3': 1120 * 832, '1:1': 960 * 960, '21:9': 1504 * 640 },
  '1080p': { '16:9': 1920 * 1088, '4:3': 1664 * 1248, '1:1': 1440 * 1440, '21:9': 2206 * 946 },
  // Named by the spec; no upstream is known that makes it.
  '2k': { '16:9': 2560 * 1440 },
  '4k': { '16:9': 3840 * 2160, '4:3': 3326 * 2494, '1:1': 2880 * 2880, '21:9': 4398 * 1886 },
};

const LANDSCAPE: Readonly<Record<string, string>> = { '9:16': '16:9', '3:4': '4:3' };

/** The largest of the resolution where the ratio is not known beforehand; undefined for an unknown resolution. */
function framePixels(resolution: string, ratio: string | undefined): number | undefined {
  const name = resolution.trim().toLowerCase();
  const sizes = Object.hasOwn(pixels, name) ? pixels[name] : undefined;
  if (sizes === undefined) return undefined;
  const landscape = LANDSCAPE[ratio ?? ''] ?? ratio ?? '';
  return (Object.hasOwn(sizes, landscape) ? sizes[landscape] : undefined) ?? Math.max(...Object.values(sizes));
}
