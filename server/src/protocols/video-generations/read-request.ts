// POST /v1/video/generations: JSON -> what is wished for (spec 2.1).
import type { VideoWish } from '../../neutral/video.ts';
import { readJsonBody } from '../json/json-request.ts';
import {
  decidingFields,
  optionalText,
  readerOf,
  readWish,
  unknownFields,
  videoFields,
} from '../video/video-request.ts';

export function readGeneration(body: Buffer): VideoWish {
  const json = readJsonBody(body, videoFields, decidingFields);
  const read = readerOf(json);
  return readWish(read, { inputReference: optionalText(read, 'input_reference'), unknown: unknownFields(json) });
}
