// A wish -> the task as family alpha takes it, with what it will be charged by (spec 2.6).
import type { VideoWish } from '../../neutral/video.ts';
import { jsonBody } from '../video-body.ts';
import type { VideoPlan } from '../video-provider.ts';
import { billableOf, readTraits } from './billable.ts';
import { capabilityOf } from './capability.ts';
import { droppedOf } from './dropped.ts';
import { frameSize } from './frame-size.ts';
import { readMedia } from './media.ts';
import { readParameters } from './parameters.ts';

export function planTask(wish: VideoWish, upstreamModel: string): VideoPlan {
  const capability = capabilityOf(wish.model, upstreamModel);
  const media = readMedia(wish, capability);
  const parameters = readParameters(wish, capability);
  const billable = billableOf(wish, capability, parameters);
  const input = { prompt: wish.prompt, ...(media.length > 0 && { media }) };
  const { milliseconds, resolution } = billable;
  return {
    body: jsonBody({ model: upstreamModel, input, parameters }),
    estimate: { by: 'time', milliseconds, resolution, traits: readTraits(billable.traits) },
    sent: { ...billable },
    seconds: parameters.duration,
    size: capability.takesRatio ? frameSize(parameters) : undefined,
    dropped: droppedOf(wish, { capability, media, parameters, billable }),
  };
}
