// The schema of a request body out of the table that checks it. The table decides which fields there are and of what kinds;
// notes add words, limits and what is inside. A field without a note and a note without a field make no document.
import type { ItemRule, WireField, WireFields } from '../../protocols/json/json-request.ts';
import type { JsonKind } from '../../shared/json-fields.ts';
import type { Schema } from './schema.ts';

export interface FieldNote {
  about: string;
  /** What is inside; for a field that is only handed on or translated, all of it. */
  schema?: Schema;
  least?: number;
  most?: number;
}

export interface BodyTable {
  fields: WireFields;
  /** Names that translation into another protocol understands beyond those, as paths. */
  known?: Iterable<string>;
  notes: Readonly<Record<string, string | FieldNote>>;
  required?: readonly string[];
  about?: string;
}

const NULL_IS_ABSENT = 'A field that is null counts as absent. Other fields are handed on to the provider.';

export function bodyFrom({ fields, known = [], notes, required = [], about }: BodyTable): Schema {
  const names = new Set([...fields.keys(), ...Array.from(known, (path) => path.split('.', 1)[0] ?? path)]);
  const shown = [...names].filter((name) => !isOtherSpelling(name, names));
  refuseOthers(shown, Object.keys(notes));
  const properties = shown.map((name) => [name, propertyOf(name, fields.get(name), notes[name] ?? '')]);
  return {
    type: 'object',
    description: about === undefined ? NULL_IS_ABSENT : `${about} ${NULL_IS_ABSENT}`,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: true,
  };
}

/** Of a form: every field is text unless its note says otherwise. */
export function formFrom({ names, notes, required }: Omit<BodyTable, 'fields'> & { names: Iterable<string> }): Schema {
  const shown = [...new Set(names)];
  refuseOthers(shown, Object.keys(notes));
  const properties = shown.map((name) => [
    name,
    propertyOf(name, { kinds: ['string'], expected: 'a string' }, notes[name] ?? ''),
  ]);
  return {
    type: 'object',
    description: 'A field that is empty counts as absent. Other fields are handed on to the provider.',
    properties: Object.fromEntries(properties),
    ...(required !== undefined && { required }),
  };
}

/** `system_instruction` where there is `systemInstruction`: taken too, shown once. */
function isOtherSpelling(name: string, names: ReadonlySet<string>): boolean {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return camel !== name && names.has(camel);
}

function refuseOthers(fields: readonly string[], notes: readonly string[]): void {
  const silent = fields.filter((name) => !notes.includes(name));
  const invented = notes.filter((name) => !fields.includes(name));
  if (silent.length > 0) throw new Error(`the OpenAPI document lacks fields of the reader: ${silent.join(', ')}`);
  if (invented.length > 0)
    throw new Error(`the OpenAPI document has fields that no reader knows: ${invented.join(', ')}`);
}

function propertyOf(name: string, field: WireField | undefined, note: string | FieldNote): Schema {
  const { about, schema, least, most } = typeof note === 'string' ? { about: note } : note;
  if (field === undefined && schema === undefined)
    throw new Error(`'${name}' is in no table, and its note has no schema`);
  const base = schema ?? schemaOf(field as WireField);
  const { $ref, ...rest } = base;
  return {
    ...($ref === undefined ? rest : { allOf: [{ $ref }] }),
    description: about,
    ...(least !== undefined && { minimum: least }),
    ...(most !== undefined && { maximum: most }),
  };
}

const ALL_KINDS = 5;

function schemaOf({ kinds, expected, items }: WireField): Schema {
  if (kinds.length >= ALL_KINDS) return {};
  const each = kinds.flatMap((kind): Schema[] => {
    if (kind === 'array') return items === undefined ? [{ type: 'array', items: {} }] : arraysOf(items);
    return [{ type: kind === 'number' && expected.includes('whole') ? 'integer' : kind }];
  });
  const [only = {}] = each;
  return each.length === 1 ? only : { anyOf: each };
}

/** Of mixed kinds, or one array for each kind where they must be alike. */
function arraysOf({ kinds, alike }: ItemRule): Schema[] {
  const each = kinds.map(itemOf);
  if (alike === true) return each.map((items) => ({ type: 'array', items }));
  const [only = {}] = each;
  return [{ type: 'array', items: each.length === 1 ? only : { anyOf: each } }];
}

/** Arrays within arrays are lists of token ids. */
function itemOf(kind: JsonKind): Schema {
  if (kind === 'array') return { type: 'array', items: { type: 'integer' } };
  return { type: kind === 'number' ? 'integer' : kind };
}
