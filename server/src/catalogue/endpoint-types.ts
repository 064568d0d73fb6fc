// The values of `supported_endpoint_types` in model lists and what each tells a client (spec 2.7). They describe a model
// and do not by themselves forbid a route.
export const endpointTypes = {
  compat: 'Chat completions, completions, moderations and other compatible text APIs',
  'compat-response': 'Responses API',
  embeddings: 'Embeddings API',
  'image-generation': 'Image generation or editing',
  'compat-video': 'Task-style video API (/v1/videos)',
  rerank: 'Rerank API',
} as const;

export type EndpointType = keyof typeof endpointTypes;
