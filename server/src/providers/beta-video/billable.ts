// What a task of family beta is charged by: tokens, at one of two prices (spec 2.5, billing).
import type { VideoReport, VideoUsage } from '../../neutral/video.ts';
import { isPlausible } from '../video/bill-by-time.ts';
import type { VideoBill, VideoPlan } from '../video-provider.ts';
import { holdsVideo, type ContentItem } from './content-list.ts';

export type Tier = Extract<VideoUsage, { by: 'tokens' }>['tier'];

export function tierOf(content: readonly ContentItem[]): Tier {
  return holdsVideo(content) ? 'video_input' : 'generate';
}

/** What the upstream counted; what was held, when it finished the task and reported no count, or none that can be true. */
export function chargedFor(sent: VideoPlan['sent'], reported: VideoReport['reported']): VideoBill {
  const tier: Tier = sent['tier'] === 'video_input' ? 'video_input' : 'generate';
  const held = Number(sent['tokens']);
  const counted = reported['tokens'];
  const bill = (tokens: number): VideoUsage => ({ by: 'tokens', tokens, tier });
  if (typeof counted !== 'number') return { usage: bill(held), source: 'estimated' };
  if (!isPlausible(counted, held)) return { usage: bill(held), source: 'bounded', doubted: counted };
  return { usage: bill(counted), source: 'upstream' };
}
