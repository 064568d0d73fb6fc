// A request -> the task as Runway takes it: what it is made of decides the path.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { trait } from '../video/bill-by-time.ts';
import { picturesOf, readSize, secondsOf } from '../video/common-fields.ts';
import { type ForwardingMap, readForwarded } from '../video/forwarding.ts';
import { planFor } from '../video/write-plan.ts';
import type { VideoPlan } from '../video-provider.ts';

const map: ForwardingMap = {
  promptImage: 'any',
  videoUri: 'text',
  ratio: 'text',
  duration: 'any', // whole seconds, or "auto" of some models
  seed: 'integer',
  'contentModeration.publicFigureThreshold': 'text',
  audio: 'flag',
  negativePrompt: 'text',
  resolution: 'text',
  references: 'array',
  referenceVideos: 'array',
  referenceAudio: 'any',
};

/** Veo makes videos of 4, 6 and 8 seconds, of its first version of 8 only. */
const usualSecondsOf = (model: string): number => (/^veo/i.test(model) ? 8 : 5);
const USUAL_RATIO = '1280:720';

export function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  const usualSeconds = usualSecondsOf(upstreamModel);
  const forwarded = readForwarded(request.metadata, map);
  const stated = forwarded.values;
  const pictures = picturesOf(request);
  const [first, last] = pictures;
  const isEdit = stated.has('videoUri');
  const hasPicture = stated.has('promptImage') || (first !== undefined && !isEdit);
  const takesPictures = hasPicture && !stated.has('promptImage');
  const frame = readSize(request.size);
  if (
    frame === undefined &&
    request.sizeBinds === true &&
    request.size !== undefined &&
    !isEdit &&
    !stated.has('ratio')
  )
    throw invalidRequest("'size' must be WIDTHxHEIGHT, such as 1280x720, 720x1280 or 960x960.", 'size');
  const ratio = frame === undefined ? undefined : `${frame.width}:${frame.height}`;
  return planFor(request, {
    fields: {
      model: upstreamModel,
      promptText: request.prompt,
      ...(takesPictures && { promptImage: last === undefined ? first : framesOf(first, last) }),
      ...(!isEdit && { ratio: ratio ?? USUAL_RATIO, duration: secondsOf(request) ?? usualSeconds }),
    },
    forwarded,
    usualSeconds,
    sentMedia: takesPictures ? pictures.slice(0, 2) : [],
    takesSize: ratio !== undefined && !isEdit && (stated.get('ratio') ?? ratio) === ratio,
    resolution: resolutionIn,
    traits: (body) => trait('audio', body['audio']),
    sent: { kind: isEdit ? 'video_to_video' : hasPicture ? 'image_to_video' : 'text_to_video', reports: 'units' },
    size: frame === undefined ? undefined : `${frame.width}x${frame.height}`,
  });
}

function framesOf(first: string | undefined, last: string): object[] {
  return [
    { uri: first, position: 'first' },
    { uri: last, position: 'last' },
  ];
}

/** Said by some models; reported by the shorter side of the others. */
function resolutionIn({ resolution, ratio }: Readonly<Record<string, unknown>>): string {
  if (typeof resolution === 'string') return resolution.toUpperCase();
  const frame = readSize(typeof ratio === 'string' ? ratio : undefined);
  return frame === undefined ? '720P' : `${Math.min(frame.width, frame.height)}P`;
}
