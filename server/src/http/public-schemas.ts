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

const imageFields = {
  model: z.string(),
  prompt: z.string(),
  n: z.int().optional(),
  size: z.string().optional(),
  quality: z.string().optional(),
  response_format: z.string().optional(),
  stream: z.boolean().optional(),
  partial_images: z.int().optional(),
};
const file = z.string().meta({ format: 'binary' });
const editBody = z.looseObject({ ...imageFields, image: file, mask: file.optional() });
const audioBody = z.looseObject({
  model: z.string(),
  file,
  response_format: z.string().optional(),
  language: z.string().optional(),
});
bodies['/v1/images/generations'] = z.looseObject(imageFields);
bodies['/v1/audio/speech'] = z.looseObject({
  model: z.string(),
  input: z.string(),
  voice: z.string(),
  instructions: z.string().optional(),
  response_format: z.string().optional(),
  speed: z.number().optional(),
  stream_format: z.string().optional(),
});
const forms: Record<string, z.ZodType> = {
  '/v1/images/edits': editBody,
  '/v1/edits': editBody,
  '/v1/audio/transcriptions': audioBody,
  '/v1/audio/translations': audioBody,
};
const images = z.looseObject({
  created: z.int(),
  data: z.array(
    z.looseObject({
      url: z.string().optional(),
      b64_json: z.string().optional(),
      revised_prompt: z.string().optional(),
    }),
  ),
});
answers['/v1/images/generations'] = images;
answers['/v1/images/edits'] = images;
answers['/v1/edits'] = images;

const textOrList = z.union([z.string(), z.array(z.unknown())]);
const usage = z.looseObject({}).optional();
bodies['/v1/completions'] = z.looseObject({
  model: z.string(),
  prompt: textOrList,
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
  max_tokens: z.int().optional(),
  n: z.int().optional(),
  temperature: z.number().optional(),
});
bodies['/v1/responses'] = z.looseObject({
  model: z.string(),
  input: textOrList,
  instructions: z.string().optional(),
  previous_response_id: z.string().optional(),
  stream: z.boolean().optional(),
  store: z.boolean().optional(),
  max_output_tokens: z.int().optional(),
  tools: z.array(z.looseObject({ type: z.string() })).optional(),
});
bodies['/v1/embeddings'] = z.looseObject({
  model: z.string(),
  input: textOrList,
  encoding_format: z.string().optional(),
  dimensions: z.int().optional(),
});
bodies['/v1/moderations'] = z.looseObject({ model: z.string().optional(), input: textOrList });
const rerankBody = z.looseObject({
  model: z.string(),
  query: z.string(),
  documents: z.array(z.union([z.string(), z.looseObject({ text: z.string() })])),
  top_n: z.int().optional(),
  return_documents: z.boolean().optional(),
});
const ranking = z.looseObject({
  model: z.string(),
  results: z.array(
    z.object({
      index: z.int(),
      relevance_score: z.number(),
      document: z.object({ text: z.string() }).optional(),
    }),
  ),
  usage,
});
answers['/v1/completions'] = z.looseObject({ choices: z.array(z.looseObject({ text: z.string() })), usage });
answers['/v1/responses'] = z.looseObject({ id: z.string(), output: z.array(z.looseObject({})), usage });
answers['/v1/embeddings'] = z.looseObject({ data: z.array(z.looseObject({ index: z.int() })), usage });
answers['/v1/moderations'] = z.looseObject({ results: z.array(z.looseObject({ flagged: z.boolean() })) });
for (const path of ['/v1/rerank', '/v2/rerank', '/rerank']) {
  bodies[path] = rerankBody;
  answers[path] = ranking;
}

bodies['/v1/quote'] = z.object({ endpoint: z.string(), body: z.looseObject({ model: z.string() }) });
answers['/v1/quote'] = z.object({
  endpoint: z.string(),
  object: z.literal('quote'),
  model: z.string(),
  group: z.string(),
  multiplier: z.string(),
  price: z.looseObject({ unit: z.string() }),
  amount: z.string(),
  arithmetic: z.string(),
  usage: z.record(z.string(), z.union([z.number(), z.string()])),
  exact: z.boolean(),
});
const videoBody = z.looseObject({
  model: z.string(),
  prompt: z.string(),
  image: z.string().optional(),
  images: z.array(z.string()).optional(),
  metadata: z.looseObject({}).optional(),
  seconds: z.string().optional(),
  duration: z.int().optional(),
  size: z.string().optional(),
  input_reference: z.string().optional(),
  webhook_url: z.string().optional(),
});
const submitted = z.object({
  id: z.string(),
  task_id: z.string(),
  object: z.literal('video'),
  model: z.string(),
  status: z.string(),
  progress: z.int(),
  created_at: z.int(),
});
const video = z.looseObject({
  ...submitted.shape,
  completed_at: z.int().nullable(),
  seconds: z.string().nullable(),
  size: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  url: z.string().optional(),
  video_url: z.string().optional(),
  metadata: z.object({ url: z.string() }).optional(),
});
bodies['/v1/video/generations'] = videoBody;
answers['/v1/video/generations'] = submitted;
answers['/v1/video/generations/*'] = z.object({
  code: z.literal('success'),
  message: z.literal(''),
  data: z.object({
    task_id: z.string(),
    status: z.enum(['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE']),
    progress: z.string(),
    result_url: z.string(),
    fail_reason: z.string(),
  }),
});
/** Those of this path that take another method than the others at it. */
const ofMethod: Record<string, { body?: z.ZodType; answer: z.ZodType }> = {
  'POST /v1/videos': { body: videoBody, answer: video },
  'GET /v1/videos': {
    answer: z.object({
      object: z.literal('list'),
      data: z.array(video),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
      has_more: z.boolean(),
    }),
  },
  'GET /v1/videos/*': { answer: video },
  'DELETE /v1/videos/*': {
    answer: z.object({ id: z.string(), object: z.literal('video.deleted'), deleted: z.literal(true) }),
  },
};

const SECURITY = {
  compatible: [{ bearer: [] }],
  messages: [{ apiKeyHeader: [] }, { bearer: [] }],
  'generate-content': [{ apiKeyQuery: [] }, { bearer: [] }],
};

export function publicRouteSchema(route: PublicRoute): FastifySchema {
  const own = ofMethod[`${route.method} ${route.path}`];
  const body = own?.body ?? bodies[route.path];
  return {
    tags: ['Public API'],
    summary: route.summary,
    security: SECURITY[route.carrier],
    ...(body !== undefined && { body }),
    ...(forms[route.path] !== undefined && { consumes: ['multipart/form-data'], body: forms[route.path] }),
    response: { 200: own?.answer ?? answers[route.path] ?? z.looseObject({}), '4xx': error, '5xx': error },
  };
}
