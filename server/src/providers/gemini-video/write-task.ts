// A request -> an interaction in the background whose answer is a video. https://ai.google.dev/api/interactions-api
import type { VideoRequest } from '../../neutral/video.ts';
import { pictureOf } from '../google-video/picture.ts';
import { picturesOf, secondsOf } from '../video/common-fields.ts';
import { frameOf } from '../video/frame-of.ts';
import { type ForwardingMap, readForwarded } from '../video/forwarding.ts';
import { planFor } from '../video/write-plan.ts';
import type { VideoPlan } from '../video-provider.ts';

const RATIOS = ['16:9', '9:16'];
const RESOLUTIONS = ['360p', '720p', '1080p', '4k'];
/** Sent where nobody says otherwise; the vendor's own default is ten seconds. */
const [USUAL_SECONDS, USUAL_RESOLUTION] = [8, '720p'];

const map: ForwardingMap = {
  'response_format.aspect_ratio': 'text',
  'response_format.duration': 'seconds',
  'response_format.resolution': 'text',
  'response_format.delivery': 'text',
  'generation_config.video_config.task': 'text',
  previous_interaction_id: 'text',
  input: 'any',
};

export function planTask(request: VideoRequest, upstreamModel: string): VideoPlan {
  const forwarded = readForwarded(request.metadata, map);
  const pictures = picturesOf(request);
  const { ratio, resolution, takesSize } = frameOf(request, forwarded, {
    ratios: RATIOS,
    ratioAt: 'response_format.aspect_ratio',
    resolutions: RESOLUTIONS,
    resolutionAt: 'response_format.resolution',
  });
  return planFor(request, {
    fields: {
      model: upstreamModel,
      input: pictures.length === 0 ? request.prompt : [userInput(request.prompt, pictures)],
      response_modalities: ['video'],
      background: true,
      response_format: {
        type: 'video',
        duration: `${secondsOf(request) ?? USUAL_SECONDS}s`,
        resolution: resolution ?? USUAL_RESOLUTION,
        ...(ratio !== undefined && { aspect_ratio: ratio }),
      },
    },
    forwarded,
    lengthAt: 'response_format.duration',
    usualSeconds: USUAL_SECONDS,
    sentMedia: forwarded.values.has('input') ? [] : pictures,
    takesSize,
    resolution: ({ response_format: format }) =>
      String((format as Record<string, unknown>)['resolution']).toUpperCase(),
    sent: { reports: 'units' },
  });
}

function userInput(prompt: string, pictures: readonly string[]): object {
  const images = pictures.map((address) => {
    const { data, uri, mimeType } = pictureOf(address);
    return { type: 'image', ...(data === undefined ? { uri } : { data }), mime_type: mimeType };
  });
  return { type: 'user_input', content: [...images, { type: 'text', text: prompt }] };
}
