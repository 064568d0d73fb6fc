// `stream_options` of the chat and completions protocols: the caller may ask for usage, and the gateway always does.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type JsonObject, partOf, scanJsonObject } from '../../shared/json-fields.ts';
import { rewriteJsonObject } from '../../shared/json-rewrite.ts';
import { presentField, readValue, refuseDuplicates, refuseLookalike } from '../json/json-request.ts';

const STREAM_OPTION_NAMES = ['include_usage'];
const STREAM_OPTIONS_KNOWN = new Set(STREAM_OPTION_NAMES);

/** Did the caller ask to see the usage? */
export function readAsksUsage(json: JsonObject): boolean {
  const field = presentField(json, 'stream_options');
  if (field === undefined) return false;
  const options = scanJsonObject(partOf(json, field.valueStart, field.valueEnd));
  refuseDuplicates(options, STREAM_OPTION_NAMES, 'stream_options.');
  for (const { name } of options.entries) refuseLookalike(name, STREAM_OPTIONS_KNOWN);
  const asked = readValue(options, 'include_usage');
  if (asked === undefined || asked === null) return false;
  if (typeof asked === 'boolean') return asked;
  throw invalidRequest("'stream_options.include_usage' must be true or false.", 'stream_options.include_usage');
}

/** The caller's options, with usage asked for. */
export function writeStreamOptions(json: JsonObject): string {
  const field = json.fields.get('stream_options');
  if (field === undefined || field.kind === 'null') return '{"include_usage":true}';
  const options = scanJsonObject(partOf(json, field.valueStart, field.valueEnd));
  return rewriteJsonObject(options, { set: { include_usage: 'true' } }).toString();
}
