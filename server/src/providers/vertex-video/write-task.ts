// A request -> a long-running prediction of Veo. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation
import type { VideoRequest } from '../../neutral/video.ts';
import { pictureOf } from '../google-video/picture.ts';
import { trait } from '../video/bill-by-time.ts';
import { picturesOf, secondsOf } from '../video/common-fields.ts';
import { frameOf } from '../video/frame-of.ts';
import { type ForwardingMap, readForwarded } from '../video/forwarding.ts';
import { planFor } from '../video/write-plan.ts';
import type { VideoPlan } from '../video-provider.ts';

const RATIOS = ['16:9', '9:16'];
const RESOLUTIONS = ['720p', '1080p', '4k'];
const [USUAL_SECONDS, USUAL_RESOLUTION] = [8, '720p'];

/** One video each: clients are shown one. Results stay in the answer, so no bucket is named. */
const parameters: ForwardingMap = {
  'parameters.durationSeconds': 'integer',
  'parameters.aspectRatio': 'text',
  'parameters.resolution': 'text',
  'parameters.negativePrompt': 'text',
  'parameters.personGeneration': 'text',
  'parameters.seed': 'integer',
  'parameters.generateAudio': 'flag',
  'parameters.enhancePrompt': 'flag',
  'parameters.compressionQuality': 'text',
  'parameters.resizeMode': 'text',
};
const instance: ForwardingMap = { image: 'any', lastFrame: 'any', referenceImages: 'array', video: 'any' };

export function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  const forwarded = readForwarded(request.metadata, parameters);
  const stated = readForwarded(request.metadata, instance);
  const pictures = stated.values.size > 0 ? [] : picturesOf(request);
  const { ratio, resolution, takesSize } = frameOf(request, forwarded, {
    ratios: RATIOS,
    ratioAt: 'parameters.aspectRatio',
    resolutions: RESOLUTIONS,
    resolutionAt: 'parameters.resolution',
  });
  return planFor(request, {
    fields: {
      instances: [{ prompt: request.prompt, ...picturesIn(pictures), ...Object.fromEntries(stated.values) }],
      parameters: {
        sampleCount: 1,
        durationSeconds: secondsOf(request) ?? USUAL_SECONDS,
        resolution: resolution ?? USUAL_RESOLUTION,
        ...(ratio !== undefined && { aspectRatio: ratio }),
      },
    },
    forwarded: { ...forwarded, taken: new Set([...forwarded.taken, ...stated.taken]) },
    lengthAt: 'parameters.durationSeconds',
    usualSeconds: USUAL_SECONDS,
    sentMedia: pictures,
    takesSize,
    resolution: (body) => String(parametersOf(body)['resolution']).toUpperCase(),
    traits: (body) => trait('audio', parametersOf(body)['generateAudio']),
    sent: { model: upstreamModel },
  });
}

function parametersOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return body['parameters'] as Record<string, unknown>;
}

/** One is the first frame, two are first and last; more are references. */
function picturesIn(pictures: readonly string[]): Record<string, unknown> {
  const images = pictures.map((address) => {
    const { data, uri, mimeType } = pictureOf(address);
    return { ...(data === undefined ? { gcsUri: uri } : { bytesBase64Encoded: data }), mimeType };
  });
  const [image, lastFrame, ...more] = images;
  if (more.length > 0) return { referenceImages: images.map((one) => ({ image: one, referenceType: 'asset' })) };
  return { ...(image !== undefined && { image }), ...(lastFrame !== undefined && { lastFrame }) };
}
