// What images and audio have in common on the wire: JSON bodies changed only where the gateway owns them, answers that are
// one JSON object, and streams whose errors are typed events.
import type { JsonObject } from '../shared/json-fields.ts';
import { rewriteJsonObject } from '../shared/json-rewrite.ts';
import type { RequestTarget } from './protocol.ts';

/** The caller's bytes with the upstream's name of the model and without the fields that the channel filters out. */
export function writeJson(
  { json, model, fixed }: { json: JsonObject; model: string; fixed: ReadonlySet<string> },
  { upstreamModel, dropFields }: RequestTarget,
): Buffer {
  const set: Record<string, string> = upstreamModel === model ? {} : { model: JSON.stringify(upstreamModel) };
  return rewriteJsonObject(json, { set, remove: dropFields.filter((name) => !fixed.has(name)) });
}

/** The last event of a stream that broke, typed as the stream's other events are. */
export function typedErrorEvent(error: { message: string; type: string; param: string | null; code: string }): Buffer {
  return Buffer.from(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`);
}
