// A request -> the task as MiniMax takes it: H3 models have an API of their own, with a content list; Hailuo and the models
// before it have flat fields.
import type { VideoRequest } from '../../neutral/video.ts';
import { picturesOf, secondsOf } from '../video/common-fields.ts';
import { frameOf } from '../video/frame-of.ts';
import { type ForwardingMap, oneOf, readForwarded } from '../video/forwarding.ts';
import { planFor } from '../video/write-plan.ts';
import type { VideoPlan } from '../video-provider.ts';
import { writeContent } from './content-list.ts';

const H3_RATIOS = ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'];
const H3_RESOLUTIONS = ['768P', '2K'];
const H3_MAX_RESOLUTIONS = ['480P', '768P'];
const HAILUO_RESOLUTIONS = ['512P', '720P', '768P', '1080P'];
/** Sent where nobody says otherwise, so that what is charged is what was sent. */
const [H3_SECONDS, HAILUO_SECONDS, USUAL_RESOLUTION] = [5, 6, '768P'];
/** T2V-01, I2V-01, S2V-01 and their kin make nothing else where nobody says otherwise. */
const [EARLIEST, EARLIEST_RESOLUTION] = [/^[A-Z]2V-01/i, '720P'];
/** A video of text alone has no picture to follow: the vendor wants a ratio then. */
const USUAL_RATIO = '16:9';

const h3Map: ForwardingMap = {
  resolution: oneOf(...H3_RESOLUTIONS, ...H3_MAX_RESOLUTIONS),
  duration: 'integer',
  ratio: 'text',
  seed: 'integer',
  'extra.prompt_expansion_mode': 'text',
  aigc_watermark: 'flag',
  callback_url: 'text',
};

const hailuoMap: ForwardingMap = {
  resolution: oneOf(...HAILUO_RESOLUTIONS),
  duration: 'integer',
  prompt_optimizer: 'flag',
  fast_pretreatment: 'flag',
  first_frame_image: 'text',
  last_frame_image: 'text',
  subject_reference: 'array',
  aigc_watermark: 'flag',
  callback_url: 'text',
};

export function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  return /^minimax-h\d/i.test(upstreamModel) ? planH3(request, upstreamModel) : planHailuo(request, upstreamModel);
}

function planH3(request: VideoRequest, model: string): VideoPlan {
  const content = writeContent(request);
  const { ratio: readRatio, ...withoutRatio } = h3Map;
  // With a frame the ratio is the frame's, and is refused.
  const forwarded = readForwarded(request.metadata, {
    ...withoutRatio,
    ...(readRatio !== undefined && !content.hasFrame && { ratio: readRatio }),
  });
  const isOfTextAlone = content.sent.length === 0;
  const sizes = /-max/i.test(model) ? H3_MAX_RESOLUTIONS : H3_RESOLUTIONS;
  const { ratio, resolution, takesSize } = frameOf(request, forwarded, {
    ratios: content.hasFrame ? [] : H3_RATIOS,
    ratioAt: 'ratio',
    resolutions: sizes,
  });
  return planFor(request, {
    fields: {
      model,
      content: content.items,
      duration: secondsOf(request) ?? H3_SECONDS,
      resolution: resolution ?? USUAL_RESOLUTION,
      ...((ratio !== undefined || isOfTextAlone) && { ratio: ratio ?? USUAL_RATIO }),
    },
    forwarded: {
      ...forwarded,
      taken: new Set([...forwarded.taken, 'content']),
      lost: [...forwarded.lost, ...content.lost],
    },
    usualSeconds: H3_SECONDS,
    sentMedia: content.sent,
    takesSize,
    resolution: (body) => String(body['resolution']),
    traits: () => (content.items.some(({ type }) => type === 'video_url') ? ['input:video'] : []),
    sent: { api: 'v2' },
  });
}

function planHailuo(request: VideoRequest, model: string): VideoPlan {
  const forwarded = readForwarded(request.metadata, hailuoMap);
  const { resolution, takesSize } = frameOf(request, forwarded, { resolutions: HAILUO_RESOLUTIONS });
  const names = ['first_frame_image', 'last_frame_image'];
  const pictures = picturesOf(request).slice(0, names.length);
  const frames = pictures.flatMap((picture, index) => {
    const name = names[index] ?? '';
    return forwarded.values.has(name) ? [] : [[name, picture] as const];
  });
  return planFor(request, {
    fields: {
      model,
      prompt: request.prompt,
      duration: secondsOf(request) ?? HAILUO_SECONDS,
      resolution: resolution ?? (EARLIEST.test(model) ? EARLIEST_RESOLUTION : USUAL_RESOLUTION),
      ...Object.fromEntries(frames),
    },
    forwarded,
    usualSeconds: HAILUO_SECONDS,
    sentMedia: frames.map(([, picture]) => picture),
    takesSize,
    resolution: (body) => String(body['resolution']),
    sent: { api: 'v1' },
  });
}
