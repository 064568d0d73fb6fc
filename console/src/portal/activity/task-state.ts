// Whether a video is still being made.
import type { PortalTask } from '#contract/portal.ts';

/** How often a page looks again while one is. */
export const LIVE_MS = 3_000;

export function stateOf({ status }: PortalTask): 'live' | 'done' | 'failed' {
  if (status === 'SUCCESS') return 'done';
  return status === 'FAILURE' ? 'failed' : 'live';
}
