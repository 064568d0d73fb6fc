// A request -> a generation as Luma takes it: the Agents API for its present models, Dream Machine for those before.
import type { VideoRequest } from '../../neutral/video.ts';
import { trait } from '../video/bill-by-time.ts';
import { picturesOf, secondsOf } from '../video/common-fields.ts';
import { frameOf } from '../video/frame-of.ts';
import { type Forwarded, type ForwardingMap, readForwarded } from '../video/forwarding.ts';
import { planFor } from '../video/write-plan.ts';
import type { VideoPlan } from '../video-provider.ts';

const RATIOS = ['9:16', '3:4', '1:1', '4:3', '16:9', '21:9'];
const RESOLUTIONS = ['540p', '720p', '1080p', '4k'];
const [USUAL_SECONDS, USUAL_RESOLUTION] = [5, '720p'];
/** https://docs.lumalabs.ai/docs/api: the models of Dream Machine. */
const DREAM_MACHINE = /^ray-(?:1-6|2|flash-2)$/;

const agentsMap: ForwardingMap = {
  type: 'text',
  aspect_ratio: 'text',
  'video.resolution': 'text',
  'video.duration': 'seconds',
  'video.loop': 'flag',
  'video.hdr': 'flag',
  'video.exr_export': 'flag',
  'video.start_frame': 'any',
  'video.end_frame': 'any',
  'video.keyframes': 'array',
  'video.keyframe_indexes': 'array',
  source: 'any',
};

const dreamMap: ForwardingMap = {
  aspect_ratio: 'text',
  resolution: 'text',
  duration: 'seconds',
  loop: 'flag',
  'keyframes.frame0': 'any',
  'keyframes.frame1': 'any',
  concepts: 'array',
  callback_url: 'text',
};

export function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  return DREAM_MACHINE.test(upstreamModel) ? planDream(request, upstreamModel) : planAgents(request, upstreamModel);
}

function planAgents(request: VideoRequest, model: string): VideoPlan {
  const forwarded = readForwarded(request.metadata, agentsMap);
  const { ratio, resolution, takesSize, duration, frames } = commonOf(request, forwarded, {
    frames: ['start_frame', 'end_frame'],
    folder: 'video.',
    resolutionAt: 'video.resolution',
  });
  const media = frames.map(([name, picture]) => [name, referenceTo(picture)] as const);
  return planFor(request, {
    fields: {
      model,
      type: 'video',
      prompt: request.prompt,
      ...(ratio !== undefined && { aspect_ratio: ratio }),
      video: { resolution: resolution ?? USUAL_RESOLUTION, duration, ...Object.fromEntries(media) },
    },
    forwarded,
    lengthAt: 'video.duration',
    usualSeconds: USUAL_SECONDS,
    sentMedia: frames.map(([, picture]) => picture),
    takesSize,
    resolution: ({ video }) => String((video as Record<string, unknown>)['resolution']).toUpperCase(),
    traits: ({ video }) => ['hdr', 'loop'].flatMap((name) => trait(name, (video as Record<string, unknown>)[name])),
    sent: { api: 'agents' },
  });
}

function planDream(request: VideoRequest, model: string): VideoPlan {
  const forwarded = readForwarded(request.metadata, dreamMap);
  const { ratio, resolution, takesSize, duration, frames } = commonOf(request, forwarded, {
    frames: ['frame0', 'frame1'],
    folder: 'keyframes.',
    resolutionAt: 'resolution',
  });
  const keyframes = Object.fromEntries(frames.map(([name, url]) => [name, { type: 'image', url }]));
  return planFor(request, {
    fields: {
      model,
      prompt: request.prompt,
      duration,
      resolution: resolution ?? USUAL_RESOLUTION,
      ...(ratio !== undefined && { aspect_ratio: ratio }),
      ...(frames.length > 0 && { keyframes }),
    },
    forwarded,
    usualSeconds: USUAL_SECONDS,
    sentMedia: frames.map(([, picture]) => picture),
    takesSize,
    resolution: (body) => String(body['resolution']).toUpperCase(),
    traits: (body) => trait('loop', body['loop']),
    sent: { api: 'dream' },
  });
}

interface FieldNames {
  /** Names of the first and the last frame; more have no place. */
  frames: readonly [string, string];
  folder: string;
  resolutionAt: string;
}

function commonOf(request: VideoRequest, forwarded: Forwarded, { frames, folder, resolutionAt }: FieldNames) {
  return {
    ...frameOf(request, forwarded, { ratios: RATIOS, resolutions: RESOLUTIONS, resolutionAt }),
    duration: `${secondsOf(request) ?? USUAL_SECONDS}s`,
    frames: picturesOf(request)
      .slice(0, frames.length)
      .map((picture, index) => [frames[index] ?? '', picture] as const)
      .filter(([name]) => !forwarded.values.has(folder + name)),
  };
}

function referenceTo(picture: string): object {
  const [, type, data] = /^data:([^;,]+);base64,(.+)$/is.exec(picture) ?? [];
  return type === undefined || data === undefined ? { url: picture } : { data, media_type: type };
}
