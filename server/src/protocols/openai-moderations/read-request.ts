// Reads a moderations request and writes it for a channel. The model may be left out; the gateway then names the one that
// the real service would take.
import {
  presentField,
  readJsonBody,
  readModel,
  requireFilled,
  STRING,
  STRING_OR_ARRAY,
  type WireField,
  type WireFields,
} from '../json/json-request.ts';
import type { RelayRequest } from '../protocol.ts';
import { wholeRequest } from '../stream/relay-bytes.ts';
import { writeJson } from '../json/write-json.ts';

export const DEFAULT_MODEL = 'omni-moderation-latest';

/** Several texts, or the parts of one message. */
const TEXTS_OR_PARTS: WireField = {
  ...STRING_OR_ARRAY,
  items: { kinds: ['string', 'object'], expected: 'a string or an object', alike: true },
};

export const moderationFields: WireFields = new Map([
  ['model', STRING],
  ['input', TEXTS_OR_PARTS],
]);
const decidingFields = [...moderationFields.keys()];

/** Throws invalid_request that names the field. */
export function readModeration(bytes: Buffer): RelayRequest {
  const json = readJsonBody(bytes, moderationFields, decidingFields);
  const named = presentField(json, 'model') === undefined ? undefined : readModel(json);
  requireFilled(json, 'input');
  return {
    ...wholeRequest(json, named ?? DEFAULT_MODEL),
    write: (target) => writeJson({ json, model: named, fixed: moderationFields }, target),
  };
}
