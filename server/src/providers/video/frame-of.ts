// Ratio and resolution that a `size` gives, of those that a vendor has. On POST /v1/videos it binds (contract-2 7): what no
// video can have is refused; elsewhere what it does not give is left out, and named as dropped.
import type { VideoRequest } from '../../neutral/video.ts';
import { askedFrame } from '../asked-frame.ts';
import { linesOf, ratioOf, resolutionOf } from './common-fields.ts';

export interface Offered {
  /** Smallest resolution first. Empty where the task takes none. */
  ratios?: readonly string[];
  resolutions?: readonly string[];
  /** What `metadata` says itself. */
  stated?: { ratio?: boolean; resolution?: boolean };
}

export interface Frame {
  ratio: string | undefined;
  resolution: string | undefined;
}

/** Stands for the resolutions of a task that takes none. */
const ANY = [{ name: '', lines: 720 }];

export function frameOf(request: VideoRequest, { ratios = [], resolutions = [], stated = {} }: Offered): Frame {
  const { size } = request;
  const read = { ratio: ratioOf(size, ratios), resolution: resolutionOf(size, resolutions) };
  const asked = { ratio: ratios.length > 0 && stated.ratio !== true, resolution: hasOpen(resolutions, stated) };
  if (ratios.includes(size?.trim() ?? '') || (!asked.ratio && !asked.resolution)) return read;
  const frame = askedFrame(request, {
    resolutions: asked.resolution ? resolutions.map((name) => ({ name, lines: linesOf(name) })) : ANY,
    takesLarger: !asked.resolution,
    ratios: asked.ratio ? ratios : [],
  });
  if (frame === undefined) return read;
  return {
    ratio: asked.ratio ? frame.ratio : read.ratio,
    resolution: asked.resolution ? frame.resolution : read.resolution,
  };
}

function hasOpen(resolutions: readonly string[], stated: NonNullable<Offered['stated']>): boolean {
  return resolutions.length > 0 && stated.resolution !== true;
}
