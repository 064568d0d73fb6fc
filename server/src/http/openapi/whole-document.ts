// The OpenAPI document: what the routes of the operator API say about themselves, and the public API beside it. Loaded when
// somebody asks for it.
import type { SwaggerTransformObject } from '@fastify/swagger';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { describePublic } from '../describe-public.ts';
import { components } from './descriptions.ts';
import { errorResponses } from './errors.ts';
import { capital, operationIdOf } from './operation-id.ts';
import { withPortablePatterns } from './portable-pattern.ts';

const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;

/** The transform writes every shared schema twice, as it goes in and as it comes out; only what is referred to stays. */
const usedComponents: SwaggerTransformObject = (given) => {
  const document = jsonSchemaTransformObject(given);
  const schemas: Record<string, unknown> = ('components' in document && document.components?.schemas) || {};
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name = ''] of (JSON.stringify(part) ?? '').matchAll(REFERENCE)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(schemas[name]);
    }
  };
  visit('paths' in document ? document.paths : {});
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
  return document;
};

/** Beside what the routes of the operator and the portal API say: names of their calls, the public API, and patterns for every language. */
export const wholeDocument: SwaggerTransformObject = (given) => {
  const document = usedComponents(given) as OpenApi;
  const own = document.components?.schemas ?? {};
  const twice = Object.keys(components).find((name) => Object.hasOwn(own, name));
  if (twice !== undefined) throw new Error(`the OpenAPI document has two schemas of the name ${twice}`);
  const paths = { ...describePublic(), ...withOperationIds(document.paths ?? {}) };
  const schemas = { ...components, ...own };
  return withPortablePatterns({
    ...document,
    paths,
    components: { ...document.components, schemas, responses: errorResponses },
  });
};

interface OpenApi {
  paths?: Paths;
  components?: { schemas?: Record<string, unknown> };
}
type Paths = Record<string, Record<string, object>>;

function withOperationIds(paths: Paths): Paths {
  return mapValues(paths, (methods, path) =>
    mapValues(methods, (operation, method) => ({
      operationId: `${path.startsWith('/portal/') ? 'portal' : 'operator'}${operationIdOf(capital(method), path)}`,
      ...operation,
    })),
  );
}

function mapValues<In, Out>(record: Record<string, In>, change: (value: In, key: string) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
