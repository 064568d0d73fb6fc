// What a task of family beta is charged by: tokens, at one of two prices (spec 2.5, billing).
import type { VideoReport, VideoUsage } from '../../neutral/video.ts';
import type { VideoPlan } from '../video-provider.ts';
import { holdsVideo, type ContentItem } from './content-list.ts';

export type Tier = Extract<VideoUsage, { by: 'tokens' }>['tier'];

export function tierOf(content: readonly ContentItem[]): Tier {
  return holdsVideo(content) ? 'video_input' : 'generate';
}

/** What the upstream counted; what was held, when it finished the task and told no count. */
export function chargedFor(sent: VideoPlan['sent'], told: VideoReport['told']): VideoUsage {
  const tier: Tier = sent['tier'] === 'video_input' ? 'video_input' : 'generate';
  return { by: 'tokens', tokens: Number(told['tokens'] ?? sent['tokens']), tier };
}
