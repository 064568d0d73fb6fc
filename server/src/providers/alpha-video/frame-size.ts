// The size of a video of family alpha, where resolution and ratio tell it: the lines of the shorter side.
import type { Parameters } from './parameters.ts';

const LONG_SIDES: Readonly<Record<string, number>> = { '720P': 1280, '1080P': 1920 };
/** What upstreams make when none is sent (spec 2.6). */
const DEFAULT_RATIO = '16:9';

/** undefined for ratios whose size no upstream publishes. */
export function frameSize({ resolution, ratio = DEFAULT_RATIO }: Parameters): string | undefined {
  const [long, short] = [LONG_SIDES[resolution], Number.parseInt(resolution, 10)];
  if (long === undefined) return undefined;
  if (ratio === '16:9') return `${long}x${short}`;
  return ratio === '9:16' ? `${short}x${long}` : undefined;
}
