// `webhook_url` beside the fields of a submit: ours alone, never handed on.
import { readValue } from '../../protocols/json/json-request.ts';
import { WEBHOOK_FIELD } from '../../protocols/video/video-request.ts';
import { scanJsonObject } from '../../shared/json-fields.ts';

export function webhookInJson(body: Buffer): unknown {
  return readValue(scanJsonObject(body), WEBHOOK_FIELD);
}
