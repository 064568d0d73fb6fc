// What every route of the operator API says about itself in the OpenAPI document, and the parameters routes share.
import type { FastifySchema } from 'fastify';
import { z } from 'zod';
import { errorAnswer } from '#contract/values/errors.ts';
import { id, requestId } from '#contract/values/text.ts';

/** Options of a route: what it is, what it takes and what it answers. */
export function route<Schema extends FastifySchema>(tag: string, summary: string, schema: Schema) {
  const security: Record<string, never[]>[] = [{ operatorKey: [] }, { operatorSession: [] }];
  return { schema: { tags: [tag], summary, security, ...schema } };
}

export const failures = { 400: errorAnswer, 401: errorAnswer, 403: errorAnswer };
/** Lists may take too long to read. */
export const failuresOfList = { ...failures, 503: errorAnswer };
export const failuresOfOne = { ...failures, 404: errorAnswer };
export const failuresOfName = { ...failuresOfOne, 409: errorAnswer };

export const done = z.undefined().meta({ description: 'Done' });

export const idParams = z.strictObject({ id });
export const requestParams = z.strictObject({ id: requestId });
