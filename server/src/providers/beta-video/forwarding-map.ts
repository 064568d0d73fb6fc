// Which parameters of `metadata` are handed on, under the same name, and what each must be (spec 2.5). Ranges are the
// upstream's to judge; `model` and all keys that are not here stay behind (rules 1 and 2).
import type { VideoRequest } from '../../neutral/video.ts';
import { askedFrame } from '../asked-frame.ts';
import { metadataValue, readArray, readFlag, readInteger, readText } from '../metadata-values.ts';
import { readSuffixes } from './prompt-suffixes.ts';

type Reader = (value: unknown, field: string) => unknown;

const readers: Readonly<Record<string, Reader>> = {
  resolution: readText,
  ratio: readText,
  duration: readInteger,
  frames: readInteger,
  seed: readInteger,
  camera_fixed: readFlag,
  watermark: readFlag,
  generate_audio: readFlag,
  draft: readFlag,
  service_tier: readText,
  return_last_frame: readFlag,
  execution_expires_after: readInteger,
  callback_url: readText,
  tools: readArray,
};

/** Which of them a model makes is the upstream's to judge. */
const RESOLUTIONS = ['480p', '720p', '1080p', '2k', '4k'];
const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'];

export const forwardedNames: readonly string[] = Object.keys(readers);

export interface Forwarded {
  resolution?: string;
  ratio?: string;
  duration?: number;
  frames?: number;
  execution_expires_after?: number;
  [name: string]: unknown;
}

/** Only what is present: an explicit 0 or false is, null is not, and defaults are the upstream's. */
export function readForwarded(request: VideoRequest): Forwarded {
  const forwarded: Forwarded = {};
  for (const [name, read] of Object.entries(readers)) {
    const value = metadataValue(request.metadata, name);
    if (value !== undefined) forwarded[name] = read(value, `metadata.${name}`);
  }
  // Rule 3: what metadata says wins.
  Object.assign(forwarded, readFrame(request));
  const duration = forwarded.duration ?? positiveWhole(request.seconds) ?? request.duration;
  return duration === undefined ? forwarded : { ...forwarded, duration };
}

/** What metadata and prompt leave open of resolution and ratio, by `size`. */
export function readFrame(request: VideoRequest): Pick<Forwarded, 'resolution' | 'ratio'> | undefined {
  const suffixes = readSuffixes(request.prompt);
  const isStated = (name: string): boolean => metadataValue(request.metadata, name) !== undefined;
  const hasResolution = isStated('resolution') || suffixes.resolutions.length > 0;
  const hasRatio = isStated('ratio') || suffixes.namesRatio;
  if (hasResolution && hasRatio) return undefined;
  const frame = askedFrame(request, { resolutions: RESOLUTIONS, ratios: hasRatio ? [] : RATIOS });
  if (frame === undefined) return undefined;
  const { resolution, ratio } = frame;
  return { ...(!hasResolution && { resolution }), ...(ratio !== undefined && { ratio }) };
}

/** Other texts count as absent: `seconds` is a field of compatibility (spec 2.1). */
function positiveWhole(text: string | undefined): number | undefined {
  return text !== undefined && /^\+?0*[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
