// A request -> the task as Vidu takes it: how many pictures there are decides the path.
import type { VideoRequest } from '../../neutral/video.ts';
import { trait } from '../video/bill-by-time.ts';
import { picturesOf, secondsOf } from '../video/common-fields.ts';
import { frameOf } from '../video/frame-of.ts';
import { type ForwardingMap, readForwarded } from '../video/forwarding.ts';
import { planFor } from '../video/write-plan.ts';
import type { VideoPlan } from '../video-provider.ts';

const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'];
const RESOLUTIONS = ['540p', '720p', '1080p'];
/** Q1 makes videos of 1080p only, and the models before it of 4 and 8 seconds. */
const usualOf = (model: string): [seconds: number, resolution: string] =>
  /^viduq1/i.test(model) ? [5, '1080p'] : [/^vidu[12]\./i.test(model) ? 4 : 5, '720p'];

const map: ForwardingMap = {
  images: 'array',
  duration: 'integer',
  seed: 'integer',
  aspect_ratio: 'text',
  resolution: 'text',
  style: 'text',
  movement_amplitude: 'text',
  bgm: 'flag',
  audio: 'flag',
  off_peak: 'flag',
  payload: 'text',
  watermark: 'flag',
  wm_position: 'integer',
  wm_url: 'text',
  callback_url: 'text',
};

/** By the number of pictures; more are references. */
const KINDS = ['text2video', 'img2video', 'start-end2video'];
/** The frame decides it there. */
const WITHOUT_RATIO = new Set(['img2video', 'start-end2video']);

export function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  const [usualSeconds, usualResolution] = usualOf(upstreamModel);
  const stated = readForwarded(request.metadata, map);
  const pictures = picturesOf(request);
  const given = stated.values.get('images');
  const kind = KINDS[Array.isArray(given) ? given.length : pictures.length] ?? 'reference2video';
  const { aspect_ratio: _, ...withoutRatio } = map;
  const forwarded = WITHOUT_RATIO.has(kind) ? readForwarded(request.metadata, withoutRatio) : stated;
  const { ratio, resolution, takesSize } = frameOf(request, forwarded, {
    ratios: WITHOUT_RATIO.has(kind) ? [] : RATIOS,
    resolutions: RESOLUTIONS,
  });
  return planFor(request, {
    fields: {
      model: upstreamModel,
      prompt: request.prompt,
      ...(pictures.length > 0 && { images: pictures }),
      duration: secondsOf(request) ?? usualSeconds,
      resolution: resolution ?? usualResolution,
      ...(ratio !== undefined && { aspect_ratio: ratio }),
    },
    forwarded,
    usualSeconds,
    sentMedia: given === undefined ? pictures : [],
    takesSize,
    resolution: (body) => String(body['resolution']).toUpperCase(),
    traits: (body) => ['audio', 'bgm', 'off_peak'].flatMap((name) => trait(name, body[name])),
    sent: { kind, reports: 'units' },
  });
}
