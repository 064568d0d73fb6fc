// How the public routes stand in the OpenAPI document. Bodies are described, not checked, here: unknown fields are welcome.
import type { FastifySchema } from 'fastify';
import { z } from 'zod';
import type { PublicRoute } from './routes.ts';

const error = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }),
});

const chatBody = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string() })),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
  max_tokens: z.int().optional(),
  max_completion_tokens: z.int().optional(),
  temperature: z.number().optional(),
});

const modelEntry = z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() });

const bodies: Record<string, z.ZodType> = { '/v1/chat/completions': chatBody };
const answers: Record<string, z.ZodType> = {
  '/v1/models': z.object({
    success: z.boolean(),
    object: z.literal('list'),
    data: z.array(modelEntry.extend({ supported_endpoint_types: z.array(z.string()) })),
  }),
  '/v1/models/*': modelEntry,
};

const SECURITY = {
  compatible: [{ bearer: [] }],
  messages: [{ apiKeyHeader: [] }, { bearer: [] }],
  'generate-content': [{ apiKeyQuery: [] }, { bearer: [] }],
};

export function publicRouteSchema(route: PublicRoute): FastifySchema {
  return {
    tags: ['Public API'],
    summary: route.summary,
    security: SECURITY[route.carrier],
    ...(bodies[route.path] !== undefined && { body: bodies[route.path] }),
    response: { 200: answers[route.path] ?? z.looseObject({}), '4xx': error, '5xx': error },
  };
}
