// A request -> the task as family alpha takes it, with what it will be charged by (spec 2.6).
import type { VideoRequest } from '../../neutral/video.ts';
import { jsonBody } from '../video-body.ts';
import { timedSent, timedUsage } from '../video/bill-by-time.ts';
import type { VideoPlan } from '../video-provider.ts';
import { billableOf } from './billable.ts';
import { capabilityOf } from './capability.ts';
import { droppedOf } from './dropped.ts';
import { readMedia } from './media.ts';
import { frameSize, readParameters } from './parameters.ts';

export function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  const capability = capabilityOf(request.model, upstreamModel);
  const media = readMedia(request, capability);
  const parameters = readParameters(request, capability);
  const billable = billableOf(request, capability, parameters);
  const input = { prompt: request.prompt, ...(media.length > 0 && { media }) };
  return {
    body: jsonBody({ model: upstreamModel, input, parameters }),
    estimate: timedUsage(billable),
    sent: { ...timedSent(billable), isDeclared: billable.isDeclared },
    seconds: parameters.duration,
    size: capability.takesRatio ? frameSize(parameters) : undefined,
    dropped: droppedOf(request, { capability, media, parameters, billable }),
  };
}
