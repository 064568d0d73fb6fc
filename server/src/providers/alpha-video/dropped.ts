// What a task of family alpha leaves out of a request: fields that it does not have, and values that were changed (spec 2.6).
import type { VideoRequest } from '../../neutral/video.ts';
import { droppedFields } from '../dropped-fields.ts';
import { metadataValue, numberIn } from '../metadata-values.ts';
import type { Billable } from './billable.ts';
import type { Capability } from './capability.ts';
import type { MediaItem } from './media.ts';
import { type Parameters, readFrame } from './parameters.ts';

export interface AlphaTask {
  capability: Capability;
  media: readonly MediaItem[];
  parameters: Parameters;
  billable: Billable;
}

export function droppedOf(request: VideoRequest, task: AlphaTask): string[] {
  const { capability, media, parameters } = task;
  const isTaken: Record<string, boolean> = {
    media: true,
    seed: true,
    watermark: true,
    resolution: isResolution(metadataValue(request.metadata, 'resolution'), parameters.resolution),
    ratio: capability.takesRatio,
    audio_setting: capability.takesAudioSetting,
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
