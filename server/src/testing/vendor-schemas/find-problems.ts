// Holds a JSON value against a schema of `type-to-schema.ts` and names what differs by the vendor's own type and field
// (`TextBlock.citations`), so that the written list of exceptions can name it too. Of a union, the member is meant whose
// fixed words (`type`, `object`) the value has.
import type { JsonSchema } from './type-to-schema.ts';

export type ProblemKind = 'missing' | 'null' | 'extra' | 'type' | 'value';

export interface Problem {
  /** Type and field: `ChatCompletion.Choice.logprobs`. */
  schemaPath: string;
  /** Where in the answer: `$.choices[0].logprobs`. */
  path: string;
  kind: ProblemKind;
  found: string;
}

interface Where {
  schemaPath: string;
  path: string;
}

export interface ProblemFinder {
  $defs: Readonly<Record<string, JsonSchema>>;
  /** Where the published type is wrong. */
  isException(problem: Problem): boolean;
}

export function findProblems(finder: ProblemFinder, schema: JsonSchema, value: unknown, where: Where): Problem[] {
  const { $ref, anyOf, enum: words, type } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice('#/$defs/'.length);
    const schemaPath = name.includes('Anonymous') ? where.schemaPath : name;
    return findProblems(finder, finder.$defs[name] ?? {}, value, {
      ...where,
      schemaPath: value === null ? where.schemaPath : schemaPath,
    });
  }
  const report = (kind: ProblemKind): Problem[] => {
    const problem = { ...where, kind, found: (JSON.stringify(value) ?? 'nothing').slice(0, 80) };
    return finder.isException(problem) ? [] : [problem];
  };
  if (Array.isArray(anyOf)) {
    if (value === null && !anyOf.some((member) => isNull(member as JsonSchema))) return report('null');
    return findInUnion(finder, anyOf as JsonSchema[], value, where);
  }
  if (Array.isArray(words)) return words.includes(value) ? [] : report(value === null ? 'null' : 'value');
  if (type === undefined) return schema['not'] === undefined ? [] : report('extra');
  if (value === null && type !== 'null') return report('null');
  if (typeOf(value) !== type) return report('type');
  if (Array.isArray(value)) {
    const items = schema['items'] as JsonSchema;
    return value.flatMap((item, index) =>
      findProblems(finder, items, item, { schemaPath: where.schemaPath, path: `${where.path}[${index}]` }),
    );
  }
  return type === 'object' ? findInObject(finder, schema, value as Record<string, unknown>, where) : [];
}

function findInObject(
  finder: ProblemFinder,
  { properties, required, additionalProperties }: JsonSchema,
  value: Record<string, unknown>,
  where: Where,
): Problem[] {
  if (properties === undefined) return [];
  const known = properties as Record<string, JsonSchema>;
  const at = (name: string): Where => ({ schemaPath: `${where.schemaPath}.${name}`, path: `${where.path}.${name}` });
  const report = (problem: Problem): Problem[] => (finder.isException(problem) ? [] : [problem]);
  const missing = (required as string[]).filter((name) => value[name] === undefined);
  const problems = missing.flatMap((name) => report({ ...at(name), kind: 'missing', found: 'nothing' }));
  for (const [name, field] of Object.entries(value)) {
    const schema = known[name] ?? additionalProperties;
    if (schema === false)
      problems.push(...report({ ...at(name), kind: 'extra', found: JSON.stringify(field).slice(0, 80) }));
    else problems.push(...findProblems(finder, schema as JsonSchema, field, at(name)));
  }
  return problems;
}

/** The problems of the member that is meant: of those whose fixed words fit, the one with the fewest. */
function findInUnion(finder: ProblemFinder, members: JsonSchema[], value: unknown, where: Where): Problem[] {
  const found = members.map((member) => ({ member, problems: findProblems(finder, member, value, where) }));
  if (found.some(({ problems }) => problems.length === 0)) return [];
  const fitting = found.filter(({ member }) => hasFixedWords(finder, member, value));
  const counted = (fitting.length > 0 ? fitting : found).toSorted((a, b) => a.problems.length - b.problems.length);
  return counted[0]?.problems ?? [];
}

function hasFixedWords(finder: ProblemFinder, member: JsonSchema, value: unknown): boolean {
  const { $ref } = member;
  const schema = typeof $ref === 'string' ? finder.$defs[$ref.slice('#/$defs/'.length)] : member;
  if (typeof value !== 'object' || value === null) return schema?.['type'] !== 'object';
  if (Array.isArray(value)) return schema?.['type'] === 'array';
  if (schema?.['type'] !== 'object') return false;
  return Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).every(([name, property]) => {
    const words = property['enum'];
    if (!Array.isArray(words) || words.length > 1 || !['type', 'object', 'role'].includes(name)) return true;
    return words.includes((value as Record<string, unknown>)[name]);
  });
}

const isNull = (schema: JsonSchema): boolean =>
  schema['type'] === 'null' ||
  Object.keys(schema).length === 0 ||
  (schema['enum'] as unknown[] | undefined)?.includes(null) === true;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
