// What a video task asks for, as admission reads it.
import type { TextSize } from '../billing/estimate.ts';
import type { Model } from '../catalogue/catalogue.ts';
import { findProvider } from '../providers/registry.ts';
import { isChargedBy, type VideoUnit } from '../providers/video-provider.ts';
import type { Asked } from '../relay/admit.ts';

const UNITS: readonly VideoUnit[] = ['second', 'video_tokens', 'reported'];
/** A task counts as a request; its tokens are not those of a rate policy. */
const NO_TEXT: TextSize = { inputBytes: 0, mediaCount: 0, maxOutputTokens: 0, choices: 1 };

export function askedVideo(model: string): Asked<TextSize> {
  return { model, operation: 'video', units: UNITS, servesFor: servesVideo, forModel: () => NO_TEXT };
}

/** Which channels make videos that can be charged by the model's price. */
function servesVideo({ price }: Model): (channel: { provider: string }) => boolean {
  return ({ provider }) => {
    const video = findProvider(provider)?.video;
    return video !== undefined && isChargedBy(video, price?.unit);
  };
}
