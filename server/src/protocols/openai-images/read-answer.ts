// Reads what a whole answer of images says, without building the images (spec 2.8).
import { arrayLength, readField } from '../../shared/json-fields.ts';
import type { WholeAnswer } from '../protocol.ts';
import { readTypedUsage } from '../stream/typed-usage.ts';
import { scanResult } from '../json/json-answer.ts';

/** Those of a square one of middling quality: bytes of base64 would tell nothing of the price. */
export const TOKENS_PER_IMAGE = 1_056;
/** By which bytes of an answer become tokens. */
const BYTES_PER_TOKEN = 4;

/** undefined when it is no answer of images. */
export function readImagesAnswer(bytes: Buffer): WholeAnswer | undefined {
  const scanned = scanResult(bytes, 'data');
  if (scanned === undefined) return undefined;
  const { json, hasError } = scanned;
  const images = arrayLength(json, 'data');
  return {
    usage: readTypedUsage(readField(json, 'usage'), 'image'),
    images,
    hasError,
    outputBytes: images * TOKENS_PER_IMAGE * BYTES_PER_TOKEN,
  };
}
