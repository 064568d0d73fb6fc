// What every route of the portal API says about itself in the OpenAPI document.
import type { FastifySchema } from 'fastify';

/** Options of a route: what it is, what it takes and what it answers. */
export function route<Schema extends FastifySchema>(summary: string, schema: Schema) {
  return { schema: { tags: ['Portal'], summary, security: [{ portalSession: [] }], ...schema } };
}
