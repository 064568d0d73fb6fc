// The limit of output tokens in the bytes that an upstream was really sent: read only when an answer seems longer than that.
import { asCount, asRecord, type JsonRecord, parseRecord } from './json-value.ts';

/** The largest of these fields of the body, since upstreams may heed any of them; `a.b` is a field of a field. */
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
