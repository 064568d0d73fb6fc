// `webhook_url` beside the fields of a submit: ours alone, never handed on.
import { WEBHOOK_FIELD } from '../../protocols/video-wish.ts';
import { readField, scanJsonObject } from '../../shared/json-fields.ts';

export function webhookInJson(body: Buffer): unknown {
  return readField(scanJsonObject(body), WEBHOOK_FIELD);
}
