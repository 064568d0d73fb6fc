// A request -> the task as family alpha takes it, with what it will be charged by (spec 2.6).
import type { VideoRequest } from '../../neutral/video.ts';
import { jsonBody } from '../video-body.ts';
import { timedSent, timedUsage } from '../video/bill-by-time.ts';
import type { VideoPlan } from '../video-provider.ts';
import { type Billable, billableOf } from './billable.ts';
import { type Capability, capabilityOf } from './capability.ts';
import { type MediaItem, readMedia } from './media.ts';
import { frameSize, type Parameters, readFrame, readParameters } from './parameters.ts';
import { droppedFields } from '../dropped-fields.ts';
import { metadataValue, numberIn } from '../metadata-values.ts';

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
    size: capability.takes.includes('ratio') ? frameSize(parameters) : undefined,
    dropped: droppedOf(request, { capability, media, parameters, billable }),
  };
}

interface AlphaTask {
  capability: Capability;
  media: readonly MediaItem[];
  parameters: Parameters;
  billable: Billable;
}

/** Fields that the family does not have, and values that were changed (spec 2.6). */
function droppedOf(request: VideoRequest, task: AlphaTask): string[] {
  const { capability, media, parameters } = task;
  const isTaken: Record<string, boolean> = {
    media: true,
    seed: true,
    watermark: true,
    resolution: isResolution(metadataValue(request.metadata, 'resolution'), parameters.resolution),
    ratio: capability.takes.includes('ratio'),
    audio_setting: capability.takes.includes('audio_setting'),
    duration: isDeclaredLength(request, task),
  };
  const metadata = new Set(Object.keys(isTaken).filter((name) => isTaken[name]));
  const urls = media.map(({ url }) => url);
  const takesSize = readFrame(request, capability) !== undefined;
  return [
    ...droppedFields(request, { urls, duration: parameters.duration, metadata, takesSize }),
    ...insideMedia(request),
  ];
}

function isResolution(value: unknown, sent: string): boolean {
  return typeof value === 'string' && value.trim().toUpperCase() === sent;
}

/** The length that an edit declares is not sent, but charged by. */
function isDeclaredLength({ metadata }: VideoRequest, { billable }: AlphaTask): boolean {
  const declared = numberIn(metadataValue(metadata, 'duration'));
  return billable.isDeclared && declared !== undefined && Math.round(declared * 1000) === billable.milliseconds;
}

/** Of an item only type and address are sent. */
function insideMedia({ metadata }: VideoRequest): string[] {
  const stated = metadataValue(metadata, 'media');
  if (!Array.isArray(stated)) return [];
  return stated.flatMap((item: Record<string, unknown>, index) =>
    Object.keys(item)
      .filter((name) => name !== 'type' && name !== 'url' && metadataValue(item, name) !== undefined)
      .map((name) => `metadata.media[${index}].${name}`),
  );
}
