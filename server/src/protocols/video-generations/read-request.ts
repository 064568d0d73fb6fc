// POST /v1/video/generations: JSON -> what is wished for (spec 2.1).
import type { VideoWish } from '../../neutral/video.ts';
import { readField } from '../../shared/json-fields.ts';
import { readJsonBody } from '../json-request.ts';
import { decidingFields, optionalText, readWish, unknownFields, videoFields } from '../video-wish.ts';

export function readGeneration(body: Buffer): VideoWish {
  const json = readJsonBody(body, videoFields, decidingFields);
  const read = (name: string) => readField(json, name);
  return readWish(read, { inputReference: optionalText(read, 'input_reference'), unknown: unknownFields(json) });
}
