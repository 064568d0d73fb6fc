// A video request, as small as it can be, with what a test wants of it.
import type { VideoRequest } from '../neutral/video.ts';

export function videoRequestOf(fields: Partial<VideoRequest> & { model: string }): VideoRequest {
  return {
    prompt: 'a paper boat',
    images: [],
    image: undefined,
    inputReference: undefined,
    seconds: undefined,
    duration: undefined,
    size: undefined,
    mode: undefined,
    metadata: {},
    unknown: [],
    ...fields,
  };
}
