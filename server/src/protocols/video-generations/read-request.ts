// POST /v1/video/generations: JSON -> the neutral request (spec 2.1).
import type { VideoRequest } from '../../neutral/video.ts';
import { readJsonBody } from '../json/json-request.ts';
import {
  decidingFields,
  optionalText,
  readerOf,
  readVideoRequest,
  unknownFields,
  videoFields,
} from '../video/video-request.ts';

export function readGeneration(body: Buffer): VideoRequest {
  const json = readJsonBody(body, videoFields, decidingFields);
  const read = readerOf(json);
  return readVideoRequest(read, {
    inputReference: optionalText(read, 'input_reference'),
    unknown: unknownFields(json),
  });
}
