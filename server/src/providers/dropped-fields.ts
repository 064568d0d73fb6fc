// Which fields of a wish for a video do not reach the provider as they were asked for, in the caller's own names: nothing
// is left out in silence (`x-tollgate-dropped`).
import type { VideoWish } from '../neutral/video.ts';
import { metadataValue, numberIn } from './metadata-values.ts';

export interface SentFields {
  /** Addresses of the media in it. */
  urls: readonly string[];
  /** Seconds; undefined when none are sent. */
  duration: number | undefined;
  /** Names in `metadata` that are taken as they stand. */
  metadata: ReadonlySet<string>;
}

/** What says the same as what is sent is not lost, also where another field went before it. */
export function droppedFields(wish: VideoWish, { urls, duration, metadata }: SentFields): string[] {
  const isLost = (address: string): boolean => !urls.includes(address.trim());
  const isSent = (length: number | undefined): boolean => length !== undefined && length === duration;
  const { image, images, inputReference, seconds } = wish;
  const hasOwnImages = images.length > 0 && !(images.length === 1 && images[0] === image);
  const lost: Record<string, boolean> = {
    image: image !== undefined && isLost(image),
    images: hasOwnImages && images.some(isLost),
    input_reference: inputReference !== undefined && isLost(inputReference),
    seconds: seconds !== undefined && !isSent(numberIn(seconds)),
    duration: wish.duration !== undefined && !isSent(wish.duration),
    size: wish.size !== undefined,
    mode: wish.mode !== undefined,
  };
  const keys = Object.keys(wish.metadata).filter((name) => {
    const value = metadataValue(wish.metadata, name);
    if (value === undefined || metadata.has(name)) return false;
    return name !== 'duration' || !isSent(numberIn(value));
  });
  return [
    ...wish.unknown,
    ...Object.keys(lost).filter((name) => lost[name]),
    ...keys.map((name) => `metadata.${name}`),
  ];
}
