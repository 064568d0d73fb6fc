// Ratio and resolution that a `size` gives, of those that a vendor has. On POST /v1/videos it binds (contract-2 7): what no
// video can have is refused; elsewhere what it does not give is left out, and named as dropped.
import type { VideoRequest } from '../../neutral/video.ts';
import { askedFrame } from '../asked-frame.ts';
import { ratioOf, resolutionOf } from './common-fields.ts';
import type { Forwarded } from './forwarding.ts';

export interface Offered {
  /** Smallest resolution first. Empty where the task takes none. */
  ratios?: readonly string[];
  resolutions?: readonly string[];
  /** Where they stand in the body: what `metadata` says itself stands there too. */
  ratioAt?: string;
  resolutionAt?: string;
}

export interface Frame {
  ratio: string | undefined;
  resolution: string | undefined;
  /** Whether something of `size` is in the body: what was read of it and `metadata` does not overrule. */
  takesSize: boolean;
}

/** Stands for the resolutions of a task that takes none. */
const ANY = ['720p'];

export function frameOf(
  request: VideoRequest,
  { values }: Forwarded,
  { ratios = [], resolutions = [], ratioAt = 'aspect_ratio', resolutionAt = 'resolution' }: Offered,
): Frame {
  const { size } = request;
  const isAsked = {
    ratio: ratios.length > 0 && !values.has(ratioAt),
    resolution: resolutions.length > 0 && !values.has(resolutionAt),
  };
  const isRatio = ratios.includes(size?.trim() ?? '');
  const frame =
    isRatio || (!isAsked.ratio && !isAsked.resolution)
      ? undefined
      : askedFrame(request, {
          resolutions: isAsked.resolution ? resolutions : ANY,
          takesLarger: !isAsked.resolution,
          ratios: isAsked.ratio ? ratios : [],
        });
  const ratio = frame !== undefined && isAsked.ratio ? frame.ratio : ratioOf(size, ratios);
  const resolution = frame !== undefined && isAsked.resolution ? frame.resolution : resolutionOf(size, resolutions);
  const isSent = (read: string | undefined, at: string): boolean => {
    const stated = values.get(at) ?? read;
    return read !== undefined && typeof stated === 'string' && stated.toLowerCase() === read.toLowerCase();
  };
  return { ratio, resolution, takesSize: isSent(ratio, ratioAt) || isSent(resolution, resolutionAt) };
}
