// POST /v1/videos with JSON -> the neutral request: all of spec 2.1, and a reference that may be an object (contract 5).
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { readJsonBody, STRING_OR_OBJECT, type WireField } from '../json/json-request.ts';
import {
  decidingFields,
  optionalText,
  readerOf,
  type ReadValue,
  readVideoRequest,
  unknownFields,
  videoFields,
} from '../video/video-request.ts';

export const videoJsonFields = new Map<string, WireField>([...videoFields, ['input_reference', STRING_OR_OBJECT]]);

export function readVideoJson(body: Buffer): VideoRequest {
  const json = readJsonBody(body, videoJsonFields, decidingFields);
  const read = readerOf(json);
  const own = { inputReference: readReference(read), unknown: unknownFields(json) };
  return { ...readVideoRequest(read, own), sizeBinds: true };
}

function readReference(read: ReadValue): string | undefined {
  const value = read('input_reference');
  if (typeof value !== 'object' || value === null) return optionalText(read, 'input_reference');
  if ('image_url' in value && typeof value.image_url === 'string' && value.image_url.trim() !== '')
    return value.image_url;
  throw invalidRequest("'input_reference' must be an address, or an object with it in image_url.", 'input_reference');
}
