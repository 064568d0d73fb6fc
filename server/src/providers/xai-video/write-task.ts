// A request -> the task as xAI takes it: a clip in `metadata.video` makes it an edit.
import type { VideoRequest } from '../../neutral/video.ts';
import { picturesOf, secondsOf } from '../video/common-fields.ts';
import { frameOf } from '../video/frame-of.ts';
import { type ForwardingMap, readForwarded } from '../video/forwarding.ts';
import { planFor, wordIn } from '../video/write-plan.ts';
import type { VideoPlan } from '../video-provider.ts';

const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'];
const RESOLUTIONS = ['480p', '720p', '1080p'];
/** What xAI makes where nothing is said; said here, so that what is charged is what was sent. */
const [USUAL_SECONDS, USUAL_RESOLUTION] = [8, '480p'];

const map: ForwardingMap = {
  duration: 'integer',
  aspect_ratio: 'text',
  resolution: 'text',
  image: 'any',
  reference_images: 'array',
  video: 'any',
};

export function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  const forwarded = readForwarded(request.metadata, map);
  const isEdit = forwarded.values.has('video');
  const pictures = picturesOf(request);
  const offered = isEdit ? {} : { ratios: RATIOS, resolutions: RESOLUTIONS };
  const { ratio, resolution, takesSize } = frameOf(request, forwarded, offered);
  return planFor(request, {
    fields: {
      model: upstreamModel,
      prompt: request.prompt,
      ...picturesIn(pictures),
      ...(!isEdit && {
        duration: secondsOf(request) ?? USUAL_SECONDS,
        resolution: resolution ?? USUAL_RESOLUTION,
        ...(ratio !== undefined && { aspect_ratio: ratio }),
      }),
    },
    forwarded,
    usualSeconds: USUAL_SECONDS,
    sentMedia: forwarded.values.has('image') || forwarded.values.has('reference_images') ? [] : pictures,
    takesSize,
    resolution: (body) => wordIn(body, 'resolution', USUAL_RESOLUTION).toUpperCase(),
    traits: ({ image, reference_images: references }) => ((image ?? references) === undefined ? [] : ['input:image']),
    sent: { kind: isEdit ? 'edits' : 'generations', reports: 'units' },
  });
}

/** One is the first frame; more are references. */
function picturesIn(pictures: readonly string[]): Record<string, unknown> {
  if (pictures.length === 0) return {};
  const references = pictures.map((url) => ({ url }));
  return pictures.length === 1 ? { image: references[0] } : { reference_images: references };
}
