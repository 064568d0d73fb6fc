// POST /kling/v1/videos/{text2video,image2video}: Kling's own fields -> a request for a video. Its names stand in `metadata` from
// there on, where every provider looks for a vendor's own.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { readField } from '../../shared/json-fields.ts';
import { ANY, presentField, readJsonBody, STRING, type WireField } from '../json/json-request.ts';
import { WEBHOOK_FIELD } from '../video/video-request.ts';

export type KlingKind = 'text2video' | 'image2video';

export const klingFields = new Map<string, WireField>([
  ['model_name', STRING],
  ['model', STRING],
  ['prompt', STRING],
  ['mode', STRING],
  ['duration', { kinds: ['string', 'number'], expected: 'a string' }],
  ['image', STRING],
  ['image_tail', STRING],
  [WEBHOOK_FIELD, ANY],
]);
/** Fields of the common request; all others are Kling's own. */
const COMMON = new Set(klingFields.keys());

/** `model_name` as Kling has it; `model` as other gateways take it. */
export function readKlingRequest(body: Buffer, kind: KlingKind): VideoRequest {
  const json = readJsonBody(body, klingFields, [...COMMON]);
  const text = (name: string): string | undefined => {
    const value = presentField(json, name) === undefined ? undefined : readField(json, name);
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const model = text('model_name') ?? text('model');
  if (model === undefined) throw invalidRequest("'model_name' is required.", 'model_name');
  const prompt = text('prompt');
  const [image, tail] = [text('image'), text('image_tail')];
  if (kind === 'text2video' && prompt === undefined) throw invalidRequest('prompt is required', 'prompt');
  if (kind === 'text2video' && (image ?? tail) !== undefined)
    throw invalidRequest("'image' is not taken here: send it to /kling/v1/videos/image2video.", 'image');
  if (kind === 'image2video' && (image ?? tail) === undefined) throw invalidRequest("'image' is required.", 'image');
  const own = [...json.fields.keys()].filter((name) => !COMMON.has(name) && presentField(json, name) !== undefined);
  return {
    model,
    prompt: prompt ?? '',
    images: image === undefined ? [] : [image, ...(tail === undefined ? [] : [tail])],
    image: undefined,
    inputReference: undefined,
    seconds: text('duration'),
    duration: undefined,
    size: undefined,
    mode: text('mode'),
    metadata: {
      ...Object.fromEntries(own.map((name) => [name, readField(json, name)])),
      ...(image === undefined && tail !== undefined && { image_tail: tail }),
    },
    unknown: [],
  };
}
