// The resolution and the ratio that a `size` of WxH asks for, where it binds (POST /v1/videos, contract-2 7).
import { invalidRequest } from '../errors/gateway-error.ts';
import type { VideoRequest } from '../neutral/video.ts';

export interface FrameLimits {
  /** Smallest first (`720p`, `2K`); with `takesLarger` the last one stands for all above it. */
  resolutions: readonly string[];
  takesLarger?: boolean;
  /** Empty where the model takes none. */
  ratios: readonly string[];
}

export interface AskedFrame {
  resolution: string;
  ratio?: string;
}

/** A size is one of its kind within this: 1024x1792 is 9:16. */
const TOLERANCE = 0.05;
const SIZE = /^\s*(\d{1,5})\s*x\s*(\d{1,5})\s*$/i;

/** undefined where no size is given, or where it only means what it does to the provider. */
export function askedFrame({ size, sizeBinds }: VideoRequest, limits: FrameLimits): AskedFrame | undefined {
  if (size === undefined || sizeBinds !== true) return undefined;
  const [, width = 0, height = 0] = (SIZE.exec(size) ?? []).map(Number);
  if (width === 0 || height === 0) throw refused(limits);
  const resolution = resolutionOf(Math.min(width, height), limits);
  if (resolution === undefined) throw refused(limits);
  if (limits.ratios.length === 0) return { resolution };
  const ratio = nearestRatio(width / height, limits.ratios);
  if (ratio === undefined) throw refused(limits);
  return { resolution, ratio };
}

function resolutionOf(lines: number, { resolutions, takesLarger = false }: FrameLimits): string | undefined {
  const slack = takesLarger ? 0 : TOLERANCE;
  const found = resolutions.find((one) => lines <= linesOf(one) * (1 + slack));
  return found ?? (takesLarger ? resolutions.at(-1) : undefined);
}

/** Of the shorter side. */
export function linesOf(resolution: string): number {
  if (/^4k$/i.test(resolution)) return 2160;
  return /^2k$/i.test(resolution) ? 1440 : Number.parseInt(resolution, 10);
}

/** The one of the ratios (`16:9`) that is asked for within 5 %. */
export function nearestRatio(asked: number, ratios: readonly string[]): string | undefined {
  const distances = ratios.map((ratio) => ({ ratio, distance: Math.abs(asked / valueOf(ratio) - 1) }));
  const [nearest] = distances.toSorted((one, other) => one.distance - other.distance);
  return nearest !== undefined && nearest.distance <= TOLERANCE ? nearest.ratio : undefined;
}

function valueOf(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
}

function refused(limits: FrameLimits): Error {
  return invalidRequest(`'size' must be one of ${allowedSizes(limits).join(', ')}, or near one of them.`, 'size');
}

function allowedSizes({ resolutions, ratios }: FrameLimits): string[] {
  return resolutions.map(linesOf).flatMap((lines) =>
    (ratios.length === 0 ? ['16:9', '9:16'] : ratios).map((ratio) => {
      const value = valueOf(ratio);
      const long = 2 * Math.round((lines * Math.max(value, 1 / value)) / 2);
      return value >= 1 ? `${long}x${lines}` : `${lines}x${long}`;
    }),
  );
}
