// The parameters of a task of family alpha: what is clamped, what has a default, what is refused (spec 2.6, contract 5).
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { type AskedFrame, askedFrame } from '../asked-frame.ts';
import { type Metadata, metadataValue, readFlag, readInteger, readNumber } from '../metadata-values.ts';
import type { Capability } from './capability.ts';

/** In the upstream's own names. */
export interface Parameters {
  resolution: string;
  ratio?: string;
  duration?: number;
  seed?: number;
  watermark: boolean;
  audio_setting?: string;
}

const RESOLUTIONS = ['720P', '1080P'];
const DEFAULT_RESOLUTION = '1080P';
const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'];
const AUDIO_SETTINGS = ['auto', 'origin'];
const MAX_SEED = 2_147_483_647;
const DEFAULT_SECONDS = 5;
const LEAST_SECONDS = 3;
const MOST_SECONDS = 15;

/** Whatever is not named here is not sent. */
export function readParameters(request: VideoRequest, capability: Capability): Parameters {
  const { metadata } = request;
  const frame = readFrame(request, capability);
  const ratio = capability.takes.includes('ratio')
    ? (readChoice(metadata, 'ratio', RATIOS) ?? frame?.ratio)
    : undefined;
  const seed = readSeed(metadata);
  const watermark = metadataValue(metadata, 'watermark');
  return {
    resolution: readResolution(metadata, frame),
    ...(ratio !== undefined && { ratio }),
    ...(capability.takes.includes('duration') && { duration: readDuration(request) }),
    ...(seed !== undefined && { seed }),
    watermark: watermark === undefined ? false : readFlag(watermark, 'metadata.watermark'),
    ...(capability.takes.includes('audio_setting') && {
      audio_setting: readChoice(metadata, 'audio_setting', AUDIO_SETTINGS) ?? 'auto',
    }),
  };
}

/** What is not recognised falls back, as the spec wants it, and is never refused. */
function readResolution(metadata: Metadata, frame: AskedFrame | undefined): string {
  const value = metadataValue(metadata, 'resolution');
  if (value === undefined && frame !== undefined) return frame.resolution;
  const wanted = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return RESOLUTIONS.find((one) => one === wanted) ?? DEFAULT_RESOLUTION;
}

/** Where metadata says both, nobody reads the size. */
export function readFrame(request: VideoRequest, { takes }: Capability): AskedFrame | undefined {
  const isStated = (name: string): boolean => metadataValue(request.metadata, name) !== undefined;
  const takesRatio = takes.includes('ratio');
  if (isStated('resolution') && (!takesRatio || isStated('ratio'))) return undefined;
  const ratios = takesRatio && !isStated('ratio') ? RATIOS : [];
  return askedFrame(request, { resolutions: RESOLUTIONS, takesLarger: true, ratios });
}

/** Whole seconds; a fraction is cut off, so that nobody pays for more than was asked for. */
function readDuration({ metadata, duration, seconds }: VideoRequest): number {
  const stated = metadataValue(metadata, 'duration');
  const wanted =
    stated === undefined
      ? (duration ?? (seconds === undefined ? DEFAULT_SECONDS : readNumber(seconds, 'seconds')))
      : readNumber(stated, 'metadata.duration');
  return Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, Math.floor(wanted)));
}

function readSeed(metadata: Metadata): number | undefined {
  const value = metadataValue(metadata, 'seed');
  if (value === undefined) return undefined;
  const seed = readInteger(value, 'metadata.seed');
  if (seed >= 0 && seed <= MAX_SEED) return seed;
  throw invalidRequest(`'metadata.seed' must be from 0 to ${MAX_SEED}.`, 'metadata.seed');
}

function readChoice(metadata: Metadata, name: string, choices: readonly string[]): string | undefined {
  const value = metadataValue(metadata, name);
  if (value === undefined) return undefined;
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw invalidRequest(`'metadata.${name}' must be one of ${choices.join(', ')}.`, `metadata.${name}`);
}

const LONG_SIDES: Readonly<Record<string, number>> = { '720P': 1280, '1080P': 1920 };
/** What upstreams make when none is sent (spec 2.6). */
const DEFAULT_RATIO = '16:9';

/** The size of the video, where resolution and ratio tell it; undefined for ratios whose size no upstream publishes. */
export function frameSize({ resolution, ratio = DEFAULT_RATIO }: Parameters): string | undefined {
  const [long, short] = [LONG_SIDES[resolution], Number.parseInt(resolution, 10)];
  if (long === undefined) return undefined;
  if (ratio === '16:9') return `${long}x${short}`;
  return ratio === '9:16' ? `${short}x${long}` : undefined;
}
