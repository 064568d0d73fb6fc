// Which fields of a video request do not reach the provider as they were asked for, in the caller's own names: nothing
// is left out in silence (`x-tollgate-dropped`).
import type { VideoRequest } from '../neutral/video.ts';
import { metadataValue, numberIn } from './metadata-values.ts';

export interface SentFields {
  /** Addresses of the media in it. */
  urls: readonly string[];
  /** Seconds; undefined when none are sent. */
  duration: number | undefined;
  /** Names in `metadata` that are taken as they stand. */
  metadata: ReadonlySet<string>;
  /** Resolution or ratio are those of `size`. */
  takesSize?: boolean;
}

/** What says the same as what is sent is not lost, also where another field went before it. */
export function droppedFields(
  request: VideoRequest,
  { urls, duration, metadata, takesSize = false }: SentFields,
): string[] {
  const isLost = (address: string): boolean => !urls.includes(address.trim());
  const isSent = (length: number | undefined): boolean => length !== undefined && length === duration;
  const { image, images, inputReference, seconds } = request;
  const hasOwnImages = images.length > 0 && !(images.length === 1 && images[0] === image);
  const lost: Record<string, boolean> = {
    image: image !== undefined && isLost(image),
    images: hasOwnImages && images.some(isLost),
    input_reference: inputReference !== undefined && isLost(inputReference),
    seconds: seconds !== undefined && !isSent(numberIn(seconds)),
    duration: request.duration !== undefined && !isSent(request.duration),
    size: request.size !== undefined && !takesSize,
    mode: request.mode !== undefined,
  };
  const keys = Object.keys(request.metadata).filter((name) => {
    const value = metadataValue(request.metadata, name);
    if (value === undefined || metadata.has(name)) return false;
    return name !== 'duration' || !isSent(numberIn(value));
  });
  return [
    ...request.unknown,
    ...Object.keys(lost).filter((name) => lost[name]),
    ...keys.map((name) => `metadata.${name}`),
  ];
}
