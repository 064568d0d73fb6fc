// The fields of a submit that every vendor of videos has a word for (spec 2.1): pictures, length and size.
import type { VideoRequest } from '../../neutral/video.ts';
import { linesOf, nearestRatio } from '../asked-frame.ts';

/** `images`, else `image` (which is in `images` then), else `input_reference`. */
export function picturesOf({ images, inputReference }: VideoRequest): readonly string[] {
  const pictures = images.length > 0 || inputReference === undefined ? images : [inputReference];
  return pictures.map((address) => address.trim());
}

/** Whole seconds of `seconds` or `duration`; other texts count as absent, and are named as dropped. */
export function secondsOf({ seconds, duration }: VideoRequest): number | undefined {
  const text = seconds !== undefined && /^\+?0*[1-9]\d{0,5}$/.test(seconds) ? Number(seconds) : undefined;
  return text ?? (duration !== undefined && duration > 0 ? duration : undefined);
}

export interface FrameSize {
  width: number;
  height: number;
}

/** `1280x720`, also with a colon or an asterisk between. */
export function readSize(size: string | undefined): FrameSize | undefined {
  const [, width, height] = /^\s*(\d{2,5})\s*[x:*]\s*(\d{2,5})\s*$/i.exec(size ?? '') ?? [];
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) };
}

/** The one of the ratios (`16:9`) that a size has, within 5 %; a size may also be a ratio itself. */
export function ratioOf(size: string | undefined, ratios: readonly string[]): string | undefined {
  const plain = size?.trim();
  if (plain !== undefined && ratios.includes(plain)) return plain;
  const frame = readSize(size);
  if (frame === undefined) return undefined;
  const plainRatios = ratios.filter((one) => /^\d+:\d+$/.test(one));
  return nearestRatio(frame.width / frame.height, plainRatios);
}

/** The one of the resolutions (`720p`, `2K`) whose lines the shorter side of a size has. */
export function resolutionOf(size: string | undefined, resolutions: readonly string[]): string | undefined {
  const frame = readSize(size);
  if (frame === undefined) return undefined;
  const lines = Math.min(frame.width, frame.height);
  return resolutions.find((one) => linesOf(one) === lines);
}
