// JSON Schema (2020-12, as OpenAPI 3.1 has it) in a few words, and the shapes in which an endpoint declares itself.
/** Marks the schema of a field that is always there. JSON leaves it out. */
const REQUIRED = Symbol('required');

export interface Schema {
  [keyword: string]: unknown;
  [REQUIRED]?: true;
}

/** What a public endpoint says about itself in the OpenAPI document. One entry for each method and path. */
export interface EndpointDescription {
  /** Name of the call in generated clients. */
  operationId: string;
  body?: Schema;
  form?: Schema;
  /** Of the body, or of the form where there is no body. */
  example?: unknown;
  answer?: Schema;
  answerExample?: unknown;
  /** Media type of an answer that is no JSON. */
  bytes?: string;
  /** `data` of each event, where the answer can come as a stream. */
  event?: Schema;
  /** What the answer is, where that is not plain. */
  says?: string;
  query?: readonly object[];
}

/** By method and path, such as `POST /v1/chat/completions`. */
export type Descriptions = Readonly<Record<string, EndpointDescription>>;
/** By name; `ref` points at them. */
export type Components = Readonly<Record<string, Schema>>;

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const text = (description?: string, more: Schema = {}): Schema =>
  describe({ type: 'string', ...more }, description);
export const flag = (description?: string): Schema => describe({ type: 'boolean' }, description);
export const number = (description?: string, more: Schema = {}): Schema =>
  describe({ type: 'number', ...more }, description);
export const integer = (description?: string, more: Schema = {}): Schema =>
  describe({ type: 'integer', ...more }, description);
/** A number of tokens, images and the like. */
export const count = (description?: string): Schema => integer(description, { minimum: 0 });
export const list = (items: Schema, description?: string, more: Schema = {}): Schema =>
  describe({ type: 'array', items, ...more }, description);
/** An object with names of the caller's choice. */
export const map = (description?: string, values: Schema | true = true): Schema =>
  describe({ type: 'object', additionalProperties: values }, description);
export const oneWord = (word: string): Schema => ({ type: 'string', const: word });
export const words = (values: readonly string[], description?: string): Schema =>
  describe({ type: 'string', enum: values }, description);
export const any = (description?: string): Schema => describe({}, description);
export const either = (description: string | undefined, ...schemas: Schema[]): Schema =>
  describe({ anyOf: schemas }, description);
export const orNull = (schema: Schema): Schema =>
  typeof schema['type'] === 'string' && schema['enum'] === undefined && schema['const'] === undefined
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

/** Of a field that is always there. */
export const must = (schema: Schema): Schema => ({ ...schema, [REQUIRED]: true });

/** The same of all these fields. */
export const always = (properties: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, must(schema)]));

/** Fields beyond those that are listed may always be there, as answers of providers have them. */
export const object = (properties: Record<string, Schema>, description?: string): Schema => {
  const required = Object.keys(properties).filter((name) => properties[name]?.[REQUIRED]);
  return describe({ type: 'object', properties, ...(required.length > 0 && { required }) }, description);
};

/** An object of which every listed field is always there. */
export const whole = (properties: Record<string, Schema>, description?: string): Schema =>
  object(always(properties), description);

/** A parameter of the query. */
export const parameter = (name: string, schema: Schema, description: string, required = false): object => ({
  name,
  in: 'query',
  required,
  description,
  schema,
});

/** Events distinguished by their `type`. */
export const eventsOf = (names: Record<string, string>, description: string): Schema => ({
  oneOf: Object.values(names).map(ref),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(Object.entries(names).map(([type, name]) => [type, `#/components/schemas/${name}`])),
  },
  description,
});

function describe(schema: Schema, description: string | undefined): Schema {
  return description === undefined ? schema : { ...schema, description };
}
