// Chat and completions (spec 2.10) in the OpenAPI document.
import { chatFields, MAX_CHOICES } from '../../../protocols/openai-chat/wire.ts';
import { knownFields as knownInChat } from '../../../protocols/openai-chat/client/read-generation.ts';
import { knownFields as knownInCompletions } from '../../../protocols/openai-completions/client/read-generation.ts';
import { completionFields } from '../../../protocols/openai-completions/wire.ts';
import { bodyFrom, type FieldNote } from '../from-fields.ts';
import { any, type Descriptions, either, flag, integer, list, map, number, object, ref, text } from '../schema.ts';

const stringOrList = either(undefined, text(), list(text()));

const shared: Record<string, string | FieldNote> = {
  model: 'Name of a model of GET /v1/models',
  prompt: 'Legacy input of /v1/completions: text, texts, token ids or lists of them',
  prefix: 'Text before the gap, for fill-in-the-middle models; stands for `messages`',
  suffix: 'Text after the gap',
  stream: 'Answer as server-sent events',
  stream_options: { about: 'Options of the stream', schema: ref('StreamOptions') },
  max_tokens: { about: 'Most output tokens', least: 1 },
  max_completion_tokens: { about: 'The newer field for the same; the larger of both is held for', least: 1 },
  n: { about: 'How many answers', least: 1, most: MAX_CHOICES },
  temperature: 'Sampling temperature',
  top_p: 'Nucleus sampling',
  top_k: 'Sampling among the k likeliest tokens',
  stop: { about: 'One stop sequence or several', schema: stringOrList },
  tools: { about: 'What the model may call', schema: list(ref('ChatTool')) },
  tool_choice: {
    about: 'auto, none, required, or the tool to call',
    schema: either(undefined, text(), ref('ChatToolChoice')),
  },
  parallel_tool_calls: 'Whether several tools may be called at once',
  response_format: { about: 'text, json_object or json_schema', schema: ref('ChatResponseFormat') },
  reasoning_effort: 'How much a reasoning model thinks: minimal, low, medium, high and others of the provider',
  modalities: { about: 'Kinds of output, such as text and audio', schema: either(undefined, list(text()), map()) },
  audio: { about: 'Voice and format of spoken output', schema: object({ voice: any(), format: text() }) },
  metadata: { about: 'Passed on', schema: map() },
  store: 'Whether the provider keeps the answer; a channel may filter it out',
  service_tier: 'Tier of the provider; a channel may filter it out',
  safety_identifier: 'Who asks, for the provider; a channel may filter it out',
};

const translated: Record<string, FieldNote> = {
  seed: { about: 'Seed of the sampling', schema: integer() },
  presence_penalty: { about: 'Penalty for words that were used', schema: number() },
  frequency_penalty: { about: 'Penalty for words that were used often', schema: number() },
  user: { about: 'Who asks, for the provider; older name of safety_identifier', schema: text() },
  logit_bias: { about: 'Bias by token id', schema: map(undefined, number()) },
};

const chatBody = bodyFrom({
  fields: chatFields,
  known: knownInChat,
  required: ['model'],
  notes: {
    ...shared,
    ...translated,
    messages: {
      about: 'The conversation. Required, unless `prefix` or `suffix` stands for it',
      schema: list(ref('ChatMessage'), undefined, { minItems: 1 }),
    },
    verbosity: { about: 'low, medium or high', schema: text() },
    prompt_cache_key: { about: 'Which prompts share a cache at the provider', schema: text() },
    logprobs: { about: 'Whether to report the likelihood of tokens', schema: flag() },
    top_logprobs: { about: 'Of how many of the likeliest tokens', schema: integer() },
  },
});

const completionBody = bodyFrom({
  fields: completionFields,
  known: knownInCompletions,
  required: ['model', 'prompt'],
  notes: {
    ...shared,
    ...translated,
    messages: { about: 'Of no use here', schema: list(ref('ChatMessage')) },
    best_of: { about: 'Of how many answers the best one is taken', least: 1, most: MAX_CHOICES },
    echo: { about: 'Whether the prompt stands before the answer', schema: flag() },
  },
});

const head = { created: 1_790_000_000, model: 'gpt-example' };
const tokens = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };

export const chatDescriptions: Descriptions = {
  'POST /v1/chat/completions': {
    operationId: 'createChatCompletion',
    body: chatBody,
    example: { model: 'gpt-example', messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 100 },
    answer: ref('ChatCompletion'),
    answerExample: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      ...head,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
      usage: tokens,
    },
    event: ref('ChatCompletionChunk'),
  },
  'POST /v1/completions': {
    operationId: 'createCompletion',
    body: completionBody,
    example: { model: 'gpt-example', prompt: 'Once upon a time', max_tokens: 20 },
    answer: ref('Completion'),
    answerExample: {
      id: 'cmpl-1',
      object: 'text_completion',
      ...head,
      choices: [{ index: 0, text: ' there was', finish_reason: 'length' }],
      usage: tokens,
    },
    event: ref('Completion'),
  },
};
