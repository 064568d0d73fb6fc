// Reads what a whole answer of images says, without building the images (spec 2.8).
import { arrayLength, readField } from '../../shared/json-fields.ts';

import type { WholeAnswer } from '../protocol.ts';
import { readTypedUsage } from '../typed-usage.ts';
import { holdsError, scanAnswer } from '../json-answer.ts';

/** Tokens of a square image of middling quality, at four bytes each: bytes of base64 would tell nothing of the price. */
const BYTES_PER_IMAGE = 4 * 1_056;

/** undefined when it is no answer of images. */
export function readImagesAnswer(bytes: Buffer): WholeAnswer | undefined {
  const json = scanAnswer(bytes);
  if (json === undefined) return undefined;
  const hasError = holdsError(json);
  if (!hasError && json.fields.get('data')?.kind !== 'array') return undefined;
  const images = arrayLength(json, 'data');
  return {
    usage: readTypedUsage(readField(json, 'usage'), 'image'),
    images,
    hasError,
    outputBytes: images * BYTES_PER_IMAGE,
  };
}
