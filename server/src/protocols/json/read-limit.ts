// The limit of output tokens in the bytes of a request: lowered, or read where an answer seems longer than that.
import { type JsonObject, readField } from '../../shared/json-fields.ts';
import { rewriteJsonObject } from '../../shared/json-rewrite.ts';
import { asCount, asRecord, type JsonRecord, parseRecord } from './json-value.ts';

/**
 * In every field of these that the caller sent; where it sent none, in the last one, which is the one that upstreams know
 * best: a limit that is overlooked would cost more than there is.
 */
export function limitOutput(json: JsonObject, fields: readonly string[], most: number): Buffer {
  const sent = fields.filter((name) => typeof readField(json, name) === 'number');
  const names = sent.length === 0 ? fields.slice(-1) : sent;
  return rewriteJsonObject(json, { set: Object.fromEntries(names.map((name) => [name, String(most)])) });
}

/**
 * In the bytes that an upstream was really sent, after the channel's changes: read only when an answer seems longer than that. The
 * largest of these fields of the body, since upstreams may heed any of them; `a.b` is a field of a
 * field.
 */
export function limitIn(...fields: readonly string[]): (body: Buffer) => number | undefined {
  return (body) => {
    const request = parseRecord(body) ?? {};
    const limits = fields.flatMap((field) => asCount(valueAt(request, field.split('.'))) ?? []);
    return limits.length === 0 ? undefined : Math.max(...limits);
  };
}

function valueAt(record: JsonRecord, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => asRecord(value)?.[name], record);
}
