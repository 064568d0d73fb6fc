// A request -> the task as family alpha takes it, with what it will be charged by (spec 2.6).
import type { VideoRequest } from '../../neutral/video.ts';
import { jsonBody } from '../video-body.ts';
import type { VideoPlan } from '../video-provider.ts';
import { billableOf, readTraits } from './billable.ts';
import { capabilityOf } from './capability.ts';
import { droppedOf } from './dropped.ts';
import { frameSize } from './frame-size.ts';
import { readMedia } from './media.ts';
import { readParameters } from './parameters.ts';

export function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  const capability = capabilityOf(request.model, upstreamModel);
  const media = readMedia(request, capability);
  const parameters = readParameters(request, capability);
  const billable = billableOf(request, capability, parameters);
  const input = { prompt: request.prompt, ...(media.length > 0 && { media }) };
  const { milliseconds, resolution } = billable;
  return {
    body: jsonBody({ model: upstreamModel, input, parameters }),
    estimate: { by: 'time', milliseconds, resolution, traits: readTraits(billable.traits) },
    sent: { ...billable },
    seconds: parameters.duration,
    size: capability.takesRatio ? frameSize(parameters) : undefined,
    dropped: droppedOf(request, { capability, media, parameters, billable }),
  };
}
