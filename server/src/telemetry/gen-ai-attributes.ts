// Spans of calls to models in the words of the semantic conventions for generative AI
// (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/). Never text of a prompt or an answer.
import type { CountedRequest } from './counted-events.ts';

export type Attributes = Record<string, string | number | boolean | string[]>;

/** A channel of the catalogue. */
export interface TracedChannel {
  name: string;
  provider: string;
  baseUrl: string;
  /** Name that clients use -> name that the upstream has. */
  models: ReadonlyMap<string, string>;
}

/** What was seen of a request and its answer on their way, in the names of the conventions. */
export interface ObservedCall {
  isStream: boolean;
  /** `gen_ai.request.*`, `gen_ai.output.type`, `gen_ai.conversation.id`. */
  request: Attributes;
  /** `gen_ai.response.*`, `gen_ai.conversation.id`. */
  response: Attributes;
}

/** In this order: the first that fits. */
const OPERATIONS: readonly (readonly [RegExp, string, string?])[] = [
  [/^\/v1\/(?:chat\/completions|responses|messages)$|^\/v2\/chat$/, 'chat'],
  [/^\/v1\/completions$/, 'text_completion'],
  [/embed/i, 'embeddings'],
  [/generateContent$|^\/v1beta\/interactions$/i, 'generate_content'],
  [/^\/v1\/(?:images\/|edits)/, 'generate_content', 'image'],
  [/^\/v1\/audio\/speech$/, 'generate_content', 'speech'],
  [/^\/v1\/videos?(?:$|\/generations$|\/\{id\}\/remix$)|^\/kling\//, 'generate_content', 'video'],
  [/^\/v1\/audio\//, 'transcription', 'text'],
  [/rerank$/, 'rerank'],
  [/moderations$/, 'moderation'],
  [/^\/v1\/realtime$/, 'realtime'],
];

/** Of an endpoint that asks a model; undefined for those that count, look up or cancel. */
export function operationOf(endpoint: string): { name: string; outputType: string | undefined } | undefined {
  const found = OPERATIONS.find(([pattern]) => pattern.test(endpoint));
  return found === undefined ? undefined : { name: found[1], outputType: found[2] };
}

/** Our kinds of upstreams, where the conventions have another name for them. */
const PROVIDERS: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  'gemini-video': 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  'vertex-video': 'gcp.vertex_ai',
  'xai-video': 'x_ai',
};

/** Vendors that speak the compatible protocol, by the end of their host. */
const HOSTS: readonly (readonly [string, string])[] = [
  ['deepseek.com', 'deepseek'],
  ['groq.com', 'groq'],
  ['mistral.ai', 'mistral_ai'],
  ['moonshot.ai', 'moonshot_ai'],
  ['moonshot.cn', 'moonshot_ai'],
  ['perplexity.ai', 'perplexity'],
  ['x.ai', 'x_ai'],
  ['cohere.com', 'cohere'],
  ['cohere.ai', 'cohere'],
];

export function providerName({ provider, baseUrl }: Pick<TracedChannel, 'provider' | 'baseUrl'>): string {
  const host = serverOf(baseUrl)?.['server.address'] ?? '';
  const vendor = HOSTS.find(([end]) => host === end || host.endsWith(`.${end}`));
  return vendor?.[1] ?? PROVIDERS[provider] ?? provider;
}

export function serverOf(baseUrl: string): { 'server.address': string; 'server.port': number } | undefined {
  const url = URL.parse(baseUrl);
  if (url === null) return undefined;
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  return { 'server.address': url.hostname, 'server.port': port };
}

const USAGE: Readonly<Record<string, string>> = {
  input_tokens: 'gen_ai.usage.input_tokens',
  output_tokens: 'gen_ai.usage.output_tokens',
  cached_input_tokens: 'gen_ai.usage.cache_read.input_tokens',
  cache_write_tokens: 'gen_ai.usage.cache_creation.input_tokens',
  reasoning_tokens: 'gen_ai.usage.reasoning.output_tokens',
  audio_input_tokens: 'gen_ai.usage.audio.input_tokens',
  audio_output_tokens: 'gen_ai.usage.audio.output_tokens',
  image_input_tokens: 'gen_ai.usage.image.input_tokens',
};

function usageOf(usage: string | null): Attributes {
  const counted = (usage === null ? {} : JSON.parse(usage)) as Record<string, unknown>;
  const attributes: Attributes = {};
  for (const [name, attribute] of Object.entries(USAGE)) {
    const value = counted[name];
    if (typeof value === 'number') attributes[attribute] = value;
  }
  return attributes;
}

/** Name and attributes of the span of a model call; undefined where no model was asked. */
export function inferenceSpan(
  request: CountedRequest,
  channel: TracedChannel | undefined,
  observed: ObservedCall | undefined,
): { name: string; attributes: Attributes } | undefined {
  const operation = operationOf(request.endpoint);
  if (operation === undefined || request.model === null || channel === undefined) return undefined;
  const model = channel.models.get(request.model) ?? request.model;
  const { outputType } = operation;
  const isStream = observed?.isStream === true;
  return {
    name: `${operation.name} ${model}`,
    attributes: {
      'gen_ai.operation.name': operation.name,
      'gen_ai.provider.name': providerName(channel),
      'gen_ai.request.model': model,
      ...serverOf(channel.baseUrl),
      ...(outputType !== undefined && { 'gen_ai.output.type': outputType }),
      ...(isStream && { 'gen_ai.request.stream': true }),
      ...observed?.request,
      ...observed?.response,
      ...(isStream &&
        request.first_byte_ms !== null && { 'gen_ai.response.time_to_first_chunk': request.first_byte_ms / 1000 }),
      ...usageOf(request.usage),
      ...(request.error_code !== null && { 'error.type': request.error_code }),
    },
  };
}
