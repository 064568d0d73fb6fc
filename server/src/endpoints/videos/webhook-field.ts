// `webhook_url` beside the fields of a submit: ours alone, never handed on.
import { readField, scanJsonObject } from '../../shared/json-fields.ts';

export const WEBHOOK_FIELD = 'webhook_url';

export function webhookInJson(body: Buffer): unknown {
  return readField(scanJsonObject(body), WEBHOOK_FIELD);
}
