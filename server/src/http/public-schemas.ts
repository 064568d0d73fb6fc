// Bodies and answers of the public paths, as the OpenAPI document shows them.
import { z } from 'zod';
import * as native from './native-schemas.ts';
import type { PublicRoute } from './routes.ts';
import * as stored from './stored-schemas.ts';

const chatBody = z.looseObject({
  model: z.string(),
  messages: z
    .array(z.looseObject({ role: z.string() }))
    .optional()
    .meta({ description: 'Required, unless `prefix` or `suffix` stands for them' }),
  prefix: z.unknown().optional(),
  suffix: z.unknown().optional(),
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
  '/v1/models/{model}': modelEntry,
};

const imageFields = {
  model: z.string(),
  n: z.int().optional(),
  size: z.string().optional(),
  quality: z.string().optional(),
  response_format: z.string().optional(),
  stream: z.boolean().optional(),
  partial_images: z.unknown().optional(),
};
const editFields = { ...imageFields, prompt: z.string().optional() };
const file = z.string().meta({ format: 'binary' });
const editBody = z.looseObject({ ...editFields, image: file, mask: file.optional() });
const picture = z.union([z.string(), z.looseObject({ image_url: z.string() })]);
const editJson = z.looseObject({
  ...editFields,
  image: z.union([z.string(), z.array(picture)]).optional(),
  images: z.array(picture).optional(),
  mask: picture.optional(),
});
const audioBody = z.looseObject({
  model: z.string(),
  file,
  response_format: z.string().optional(),
  language: z.string().optional(),
});
bodies['/v1/images/generations'] = z.looseObject({ ...imageFields, prompt: z.string() });
bodies['/v1/audio/speech'] = z.looseObject({
  model: z.string(),
  input: z.string(),
  voice: z.string().optional(),
  instructions: z.string().optional(),
  response_format: z.string().optional(),
  speed: z.number().optional(),
  stream_format: z.string().optional(),
  metadata: z.looseObject({}).optional(),
});
const videoFields = {
  model: z.string(),
  prompt: z.string(),
  images: z.array(z.string()).optional(),
  seconds: z.string().optional(),
  duration: z.int().optional(),
  size: z.string().optional(),
  mode: z.string().optional(),
  webhook_url: z.string().optional(),
};
const forms: Record<string, z.ZodType> = {
  '/v1/videos': z.looseObject({
    ...videoFields,
    image: z.string().optional(),
    input_reference: z.union([file, z.string()]).optional(),
    metadata: z.string().optional().meta({ description: 'An object as JSON text' }),
  }),
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
bodies['/v1/images/edits'] = editJson;
bodies['/v1/edits'] = editJson;

const textOrList = z.union([z.string(), z.array(z.unknown())]);
const usage = z.looseObject({}).optional();
bodies['/v1/completions'] = z.looseObject({
  model: z.string(),
  prompt: textOrList,
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
  max_tokens: z.int().optional(),
  max_completion_tokens: z.int().optional(),
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
answers['/v1/chat/completions'] = z.looseObject({
  id: z.string(),
  model: z.string(),
  choices: z.array(z.looseObject({ message: z.looseObject({ content: z.string().nullable() }) })),
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

const amountOrNull = z.string().nullable();
answers['/v1/usage'] = z.object({
  object: z.literal('usage'),
  currency: z.string(),
  token: z.object({
    name: z.string(),
    quota: amountOrNull,
    used: z.string(),
    remaining: amountOrNull,
    expires_at: z.int().nullable(),
    models: z.array(z.string()).nullable(),
    rate: z.object({ rpm: z.int().nullable(), tpm: z.int().nullable(), concurrency: z.int().nullable() }),
  }),
  account: z.object({ balance: z.string(), budget: amountOrNull, budget_used: z.string() }),
});
for (const path of ['/v1/dashboard', '/dashboard']) {
  answers[`${path}/billing/subscription`] = z.object({
    object: z.literal('billing_subscription'),
    has_payment_method: z.boolean(),
    soft_limit_usd: z.number(),
    hard_limit_usd: z.number(),
    system_hard_limit_usd: z.number(),
    access_until: z.int(),
  });
  answers[`${path}/billing/usage`] = z.object({ object: z.literal('list'), total_usage: z.number() });
}
for (const path of ['/api/usage/token/', '/api/usage/token']) {
  answers[path] = z.object({
    code: z.boolean(),
    message: z.string(),
    data: z.looseObject({ object: z.literal('token_usage'), total_available: z.int() }),
  });
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
  ...videoFields,
  image: z.string().optional(),
  metadata: z.looseObject({}).optional(),
  input_reference: z.union([z.string(), z.looseObject({ image_url: z.string() })]).optional(),
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
answers['/v1/video/generations/{task_id}'] = z.object({
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
  'GET /v1/videos/{task_id}': { answer: video },
  'DELETE /v1/videos/{task_id}': {
    answer: z.object({ id: z.string(), object: z.literal('video.deleted'), deleted: z.literal(true) }),
  },
};

Object.assign(forms, stored.forms);
Object.assign(ofMethod, stored.ofMethod);

const response = z.looseObject({ id: z.string(), output: z.array(z.looseObject({})), usage });
ofMethod['GET /v1/responses/{response_id}'] = { answer: response };
ofMethod['POST /v1/responses/{response_id}/cancel'] = { answer: response };
ofMethod['GET /v1/responses/{response_id}/input_items'] = {
  answer: z.looseObject({ object: z.literal('list'), data: z.array(z.looseObject({})), has_more: z.boolean() }),
};
ofMethod['DELETE /v1/responses/{response_id}'] = {
  answer: z.looseObject({ id: z.string(), deleted: z.literal(true) }),
};

const BETA = '/v1beta/models/{model}';
bodies['/v1/messages'] = native.messagesBody;
answers['/v1/messages'] = native.messagesAnswer;
bodies['/v1/messages/count_tokens'] = native.countMessagesBody;
answers['/v1/messages/count_tokens'] = native.countMessagesAnswer;
for (const method of ['generateContent', 'streamGenerateContent']) {
  bodies[`${BETA}:${method}`] = native.generateBody;
  answers[`${BETA}:${method}`] = native.generateAnswer;
}
bodies[`${BETA}:countTokens`] = native.countContentBody;
answers[`${BETA}:countTokens`] = native.countContentAnswer;
bodies[`${BETA}:embedContent`] = native.embedBody;
answers[`${BETA}:embedContent`] = native.embedAnswer;
bodies[`${BETA}:batchEmbedContents`] = native.batchEmbedBody;
answers[`${BETA}:batchEmbedContents`] = native.batchEmbedAnswer;
answers[BETA] = native.nativeModelAnswer;
answers['/v1beta/models'] = native.nativeModelsAnswer;

/** Paths whose answer can come as events. */
const STREAMED = new Set([
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/responses',
  '/v1/messages',
  `${BETA}:streamGenerateContent`,
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/edits',
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/audio/translations',
]);
/** Answers that are no JSON. */
const BYTES: Readonly<Record<string, string>> = {
  '/v1/audio/speech': 'audio/*',
  '/v1/videos/{task_id}/content': 'video/mp4',
  '/v1/files/{file_id}/content': 'application/octet-stream',
  '/v1/messages/batches/{batch_id}/results': 'application/x-jsonl',
};
/** What the answer is, where it is not plainly what was asked for. */
const SAYS: Readonly<Record<string, string>> = {
  'POST /v1/video/generations': 'The task, which has just begun: ask for it until it has ended',
  'POST /v1/videos': 'The task, which has just begun: ask for it until it has ended',
  'GET /v1/video/generations/{task_id}': 'The task as it stands; `result_url` once it has succeeded',
  'GET /v1/videos/{task_id}': 'The task as it stands; `url` once it has completed',
  'GET /v1/videos': 'A page of tasks, the newest first unless asked otherwise',
  'DELETE /v1/videos/{task_id}': 'The task is gone; what it had held is free again if it had not ended',
  'GET /v1/models': 'Exactly the models that the token may use, each with the kinds of endpoint it is for',
  'POST /v1/messages/count_tokens': 'The count, from the provider or estimated (`x-tollgate-usage-source`)',
};

export interface PublicSchemas {
  body?: z.ZodType | undefined;
  form?: z.ZodType | undefined;
  answer?: z.ZodType | undefined;
  /** Media type of an answer that is no JSON. */
  bytes?: string | undefined;
  /** The answer may come as events. */
  events: boolean;
  says: string;
}

export function schemasOf(method: PublicRoute['method'], path: string): PublicSchemas {
  const own = ofMethod[`${method} ${path}`];
  const isPost = method === 'POST';
  const isStreamed = isPost && STREAMED.has(path);
  const usual = isStreamed ? 'The answer, whole or, where asked for, as a stream of events' : 'The answer';
  return {
    body: own === undefined ? (isPost ? bodies[path] : undefined) : own.body,
    form: isPost ? forms[path] : undefined,
    answer: own?.answer ?? answers[path],
    bytes: BYTES[path],
    events: isStreamed,
    says: SAYS[`${method} ${path}`] ?? usual,
  };
}
