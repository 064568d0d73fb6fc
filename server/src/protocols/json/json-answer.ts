// What all protocols with JSON answers share: the top level is scanned, never built.
import {
  type JsonField,
  type JsonKind,
  JsonSyntaxError,
  type JsonObject,
  scanJsonObject,
} from '../../shared/json-fields.ts';
import { countText, type TextFields } from '../stream/count-text.ts';

/** undefined when the bytes are no JSON object. */
export function scanAnswer(bytes: Buffer): JsonObject | undefined {
  try {
    return scanJsonObject(bytes);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

export interface ScannedResult {
  json: JsonObject;
  hasError: boolean;
  result: JsonField | undefined;
}

/** An answer, known by the kind of one of its fields; undefined when it is none, and no error either. */
export function scanResult(bytes: Buffer, name: string, kind: JsonKind = 'array'): ScannedResult | undefined {
  const json = scanAnswer(bytes);
  if (json === undefined) return undefined;
  const hasError = holdsError(json);
  const result = json.fields.get(name);
  return hasError || result?.kind === kind ? { json, hasError, result } : undefined;
}

/** Bytes of text in a field of an answer. */
export function countTextIn({ bytes }: JsonObject, field: JsonField | undefined, fields: TextFields): number {
  return field === undefined ? 0 : countText(bytes.subarray(field.valueStart, field.valueEnd), fields);
}

/** An answer of success may carry an error all the same. */
export function holdsError(json: JsonObject): boolean {
  const error = json.fields.get('error');
  return error !== undefined && error.kind !== 'null';
}
