// A request -> the task as Kling takes it. What it is made of decides the path, and the path decides the poll.
import { randomUUID } from 'node:crypto';
import type { VideoRequest } from '../../neutral/video.ts';
import { metadataValue } from '../metadata-values.ts';
import { trait } from '../video/bill-by-time.ts';
import { picturesOf, secondsOf } from '../video/common-fields.ts';
import { frameOf } from '../video/frame-of.ts';
import { readForwarded } from '../video/forwarding.ts';
import { planFor } from '../video/write-plan.ts';
import type { VideoPlan } from '../video-provider.ts';
import { bare, type Kind, maps } from './forwarding-map.ts';

const USUAL_SECONDS = 5;
const RATIOS = ['16:9', '9:16', '1:1'];
/** One is the first frame, two are first and last; more are references. */
const MOST_FRAMES = 2;

/** What Kling makes of its modes; the usual one is `std`. */
const resolutions: ReadonlyMap<string, string> = new Map([
  ['pro', '1080P'],
  ['4k', '4K'],
]);

export function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  const pictures = picturesOf(request);
  const kind = kindOf(request, pictures);
  const forwarded = readForwarded(request.metadata, maps[kind]);
  const ratios = kind === 'image2video' || kind === 'motion-control' ? [] : RATIOS;
  const { ratio } = frameOf(request, forwarded, { ratios });
  const ownHandle = `tollgate-${randomUUID()}`;
  const media = mediaOf(kind, pictures, forwarded.values);
  return planFor(request, {
    fields: {
      model_name: upstreamModel,
      ...(request.prompt !== '' && { prompt: request.prompt }),
      ...media.fields,
      ...(request.mode !== undefined && { mode: request.mode }),
      ...(ratio !== undefined && { aspect_ratio: ratio }),
      ...(kind !== 'motion-control' && { duration: String(secondsOf(request) ?? USUAL_SECONDS) }),
      external_task_id: ownHandle,
    },
    forwarded,
    usualSeconds: USUAL_SECONDS,
    sentMedia: media.sent,
    takesSize: ratio !== undefined && !forwarded.values.has('aspect_ratio'),
    takesMode: !forwarded.values.has('mode') || forwarded.values.get('mode') === request.mode,
    resolution: ({ mode }) => resolutions.get(String(mode).toLowerCase()) ?? '720P',
    traits: (body) => ['mode', 'sound'].flatMap((name) => trait(name, body[name])),
    sent: { kind, ownHandle, reports: 'units' },
  });
}

function kindOf({ metadata }: VideoRequest, pictures: readonly string[]): Kind {
  const has = (name: string): boolean => metadataValue(metadata, name) !== undefined;
  if (has('video_url')) return 'motion-control';
  if (has('image_list') || pictures.length > MOST_FRAMES) return 'multi-image2video';
  return pictures.length > 0 || has('image') || has('image_tail') ? 'image2video' : 'text2video';
}

interface Media {
  fields: Record<string, unknown>;
  /** As the caller wrote them. */
  sent: readonly string[];
}

function mediaOf(kind: Kind, pictures: readonly string[], stated: ReadonlyMap<string, unknown>): Media {
  const [first, last] = pictures;
  const unless = (name: string, picture: string | undefined): [string, string][] =>
    picture === undefined || stated.has(name) ? [] : [[name, picture]];
  if (kind === 'motion-control') return written(unless('image_url', first));
  if (kind === 'multi-image2video')
    return stated.has('image_list')
      ? { fields: {}, sent: [] }
      : { fields: { image_list: pictures.map((image) => ({ image: bare(image) })) }, sent: pictures };
  return kind === 'image2video'
    ? written([...unless('image', first), ...unless('image_tail', last)])
    : { fields: {}, sent: [] };
}

function written(pictures: readonly [string, string][]): Media {
  return {
    fields: Object.fromEntries(pictures.map(([name, picture]) => [name, bare(picture)])),
    sent: pictures.map(([, picture]) => picture),
  };
}
