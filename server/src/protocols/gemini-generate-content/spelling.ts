// The protocol takes each of its names in camelCase and in snake_case. Here both become one, and a request that uses both
// for the same field is refused: readers could disagree on it.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { foldName } from '../../shared/fold-name.ts';
import type { JsonField, JsonObject } from '../../shared/json-fields.ts';
import { presentField, scanPart, type WireField, type WireFields } from '../json/json-request.ts';
import type { JsonRecord } from '../json/json-value.ts';

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Names are given in camelCase. */
export function inBothSpellings(fields: readonly (readonly [string, WireField])[]): WireFields {
  return new Map(
    fields.flatMap(([name, field]) => [
      [name, field],
      [snakeCase(name), field],
    ]),
  );
}

/** Fields that a channel filters out, but for the fixed ones: in every spelling. */
export function removable(names: readonly string[], fixed: ReadonlySet<string>): string[] {
  return names.filter((name) => !fixed.has(name)).flatMap((name) => [name, camelCase(name), snakeCase(name)]);
}

/** As the field is spelled there; in camelCase where it is not there. */
export function spellingIn({ fields }: JsonObject, name: string): string {
  const snake = snakeCase(name);
  return fields.has(snake) ? snake : name;
}

/** The field in either spelling; one that is null counts as absent. */
export function findField(json: JsonObject, name: string): JsonField | undefined {
  return presentField(json, name) ?? presentField(json, snakeCase(name));
}

/** Refuses fields that are given twice, whatever their spelling, and names in other letters than the protocol's. */
export function refuseAmbiguous(json: JsonObject, fields: WireFields, prefix = ''): void {
  const seen = new Set<string>();
  for (const { name } of json.entries) {
    const own = fields.has(name) ? camelCase(name) : undefined;
    if (own === undefined) refuseOtherLetters(name, fields, prefix);
    else if (seen.has(own)) throw invalidRequest(`'${prefix}${own}' is given more than once.`, `${prefix}${own}`);
    else seen.add(own);
  }
}

/** An object inside the body, with the kinds of its known fields checked. */
export function scanInner(bytes: Buffer, path: string, fields: WireFields): JsonObject {
  const json = scanPart(bytes, path);
  refuseAmbiguous(json, fields, `${path}.`);
  for (const { name, kind } of json.entries) {
    const field = fields.get(name);
    if (field === undefined || kind === 'null' || field.kinds.includes(kind)) continue;
    throw invalidRequest(`'${path}.${name}' must be ${field.expected}.`, `${path}.${name}`);
  }
  return json;
}

/** The known fields of a parsed object in camelCase; the others are listed as unknown, as the caller spells them. */
export function readKnown(
  wire: JsonRecord,
  known: ReadonlySet<string>,
  { prefix, unknown }: { prefix: string; unknown: string[] },
): JsonRecord {
  const read: JsonRecord = {};
  for (const [name, value] of Object.entries(wire)) {
    if (value === null || value === undefined) continue;
    const own = camelCase(name);
    if (known.has(own)) read[own] = value;
    else unknown.push(prefix + name);
  }
  return read;
}

/** Some upstreams compare names without case: to them such a name is the field, to us it is not. */
function refuseOtherLetters(name: string, fields: WireFields, prefix: string): void {
  const folded = foldName(name);
  for (const known of fields.keys()) {
    if (foldName(known) === folded)
      throw invalidRequest(`'${prefix}${name}' must be written '${known}'.`, `${prefix}${known}`);
  }
}
