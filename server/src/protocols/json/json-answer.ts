// What all protocols with JSON answers share: the top level is scanned, never built.
import { JsonSyntaxError, type JsonObject, scanJsonObject } from '../../shared/json-fields.ts';

/** undefined when the bytes are no JSON object. */
export function scanAnswer(bytes: Buffer): JsonObject | undefined {
  try {
    return scanJsonObject(bytes);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** An answer of success may carry an error all the same. */
export function holdsError(json: JsonObject): boolean {
  const error = json.fields.get('error');
  return error !== undefined && error.kind !== 'null';
}
