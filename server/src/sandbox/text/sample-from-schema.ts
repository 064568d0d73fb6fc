// Makes a value that fits a JSON Schema, for tool arguments and structured answers. Deterministic, and bounded in
// size whatever the schema says; it knows the keywords that vendors' structured output accepts.

type Schema = Record<string, unknown>;
type Walk = { root: Schema; nodesLeft: number };

const nodeLimit = 2_000;
const depthLimit = 32;
const optionalDepthLimit = 5;
const itemLimit = 16;
const textLimit = 10_000;

const formats: Readonly<Record<string, string>> = {
  date: '2025-01-31',
  time: '12:00:00Z',
  'date-time': '2025-01-31T12:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

export function sampleFromSchema(schema: unknown): unknown {
  return sample(schema, { root: isSchema(schema) ? schema : {}, nodesLeft: nodeLimit }, { name: 'value', depth: 0 });
}

type Position = { name: string; depth: number };

function sample(given: unknown, walk: Walk, position: Position): unknown {
  walk.nodesLeft -= 1;
  if (walk.nodesLeft < 0 || position.depth > depthLimit || given === false) return null;
  const schema = resolve(given, walk, position.depth);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return schema['enum'][0];
  if ('default' in schema) return schema['default'];
  switch (chooseType(schema)) {
    case 'object':
      return sampleObject(schema, walk, position);
    case 'array':
      return sampleArray(schema, walk, position);
    case 'integer':
      return sampleNumber(schema, 1);
    case 'number':
      return sampleNumber(schema, 0.5);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return sampleText(schema, position.name);
  }
}

/** Follows a local $ref and takes the first branch of a choice; allOf branches are laid over each other. */
function resolve(given: unknown, walk: Walk, depth: number): Schema {
  if (!isSchema(given) || depth > depthLimit) return {};
  const { $ref, anyOf, oneOf, allOf, ...rest } = given;
  const choice: unknown = Array.isArray(anyOf) ? anyOf[0] : Array.isArray(oneOf) ? oneOf[0] : undefined;
  const layers = [typeof $ref === 'string' ? follow($ref, walk.root) : undefined, choice];
  if (Array.isArray(allOf)) layers.push(...allOf.slice(0, itemLimit));
  let whole = rest;
  for (const layer of layers) {
    if (layer === undefined || walk.nodesLeft < 0) continue;
    walk.nodesLeft -= 1;
    const next = resolve(layer, walk, depth + 1);
    whole = { ...next, ...whole, properties: { ...asSchema(next['properties']), ...asSchema(whole['properties']) } };
    whole['required'] = [...asList(next['required']), ...asList(rest['required'])];
    if (whole['type'] === undefined && Object.keys(asSchema(whole['properties'])).length === 0)
      delete whole['properties'];
  }
  return whole;
}

function follow(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference.slice(1).split('/').filter(Boolean);
  return steps.reduce<unknown>((at, step) => asSchema(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')], root);
}

function chooseType(schema: Schema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? 'null';
  if (type !== undefined) return type;
  if (isSchema(schema['properties'])) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

function sampleObject(schema: Schema, walk: Walk, { depth }: Position): Schema {
  const required = new Set(asList(schema['required']));
  const properties = Object.entries(asSchema(schema['properties']));
  const wanted = properties.filter(([name]) => depth < optionalDepthLimit || required.has(name));
  return Object.fromEntries(wanted.map(([name, inner]) => [name, sample(inner, walk, { name, depth: depth + 1 })]));
}

function sampleArray(schema: Schema, walk: Walk, { name, depth }: Position): unknown[] {
  const least = Math.min(asNumber(schema['minItems']) ?? 1, itemLimit);
  const most = asNumber(schema['maxItems']) ?? itemLimit;
  // An array of the node's own kind ends here, instead of at the depth limit.
  const length = depth >= optionalDepthLimit ? least : Math.max(least, Math.min(1, most));
  return Array.from({ length }, () => sample(schema['items'] ?? {}, walk, { name, depth: depth + 1 }));
}

function sampleNumber(schema: Schema, step: number): number {
  const above = asNumber(schema['exclusiveMinimum']);
  const below = asNumber(schema['exclusiveMaximum']);
  const least = Math.max(asNumber(schema['minimum']) ?? -Infinity, above === undefined ? -Infinity : above + step);
  const most = Math.min(asNumber(schema['maximum']) ?? Infinity, below === undefined ? Infinity : below - step);
  const value = Math.max(Math.min(1, most), least);
  const multiple = asNumber(schema['multipleOf']);
  return multiple === undefined || multiple <= 0 ? value : Math.ceil(value / multiple) * multiple;
}

function sampleText(schema: Schema, name: string): string {
  const format = typeof schema['format'] === 'string' ? formats[schema['format']] : undefined;
  const text = format ?? `sample ${name.replaceAll('_', ' ')}`;
  const least = Math.min(asNumber(schema['minLength']) ?? 0, textLimit);
  return text.padEnd(least, '.').slice(0, asNumber(schema['maxLength']) ?? textLimit);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asSchema(value: unknown): Schema {
  return isSchema(value) ? value : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
