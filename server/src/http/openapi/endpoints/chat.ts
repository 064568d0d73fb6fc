// Chat and completions (spec 2.10) in the OpenAPI document: their bodies, messages, tools and answers.
import { chatFields, MAX_CHOICES } from '../../../protocols/openai-chat/wire.ts';
import { knownFields as knownInChat } from '../../../protocols/openai-chat/client/read-generation.ts';
import { knownFields as knownInCompletions } from '../../../protocols/openai-completions/client/read-generation.ts';
import { completionFields } from '../../../protocols/openai-completions/wire.ts';
import { bodyFrom, type FieldNote } from '../from-fields.ts';
import {
  always,
  any,
  type Components,
  count,
  type Descriptions,
  either,
  flag,
  integer,
  list,
  map,
  must,
  number,
  object,
  oneWord,
  orNull,
  ref,
  type Schema,
  text,
  whole,
  words,
} from '../schema.ts';

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

const usage = orNull(ref('ChatUsage'));
const toolCalls = list(ref('ChatToolCall'));
const annotations = list(
  object({
    type: text(),
    url_citation: object({ url: text(), title: text(), start_index: integer(), end_index: integer() }),
  }),
);

const answerFields = {
  role: text(),
  content: orNull(text()),
  refusal: orNull(text()),
  reasoning_content: text(),
  reasoning_details: list(ref('ReasoningDetail')),
  annotations,
  tool_calls: toolCalls,
  images: list(object({ type: text(), image_url: object({ url: text() }) })),
};
const headOf = (kind: string): Record<string, Schema> =>
  always({ id: text(), object: oneWord(kind), created: integer('Unix seconds'), model: text() });

export const components: Components = {
  StreamOptions: object({ include_usage: flag('Usage in a last chunk before [DONE]') }),
  ChatMessage: object({
    role: must(text('system, developer, user, assistant or tool')),
    content: either('Text, or parts', text(), list(ref('ChatContentPart')), { type: 'null' }),
    name: text(),
    tool_calls: toolCalls,
    tool_call_id: text('Of the call that a message of the role tool answers'),
    refusal: orNull(text()),
    reasoning_content: text('Thoughts of an earlier answer'),
    reasoning: text('The same, as some providers name it'),
    reasoning_details: list(ref('ReasoningDetail')),
    annotations,
    audio: object({ id: text() }),
  }),
  ChatContentPart: object({
    type: must(text('text, image_url, input_audio, file, and others of the provider')),
    text: text(),
    image_url: object({ url: must(text('https address or data: address')), detail: text() }),
    video_url: whole({ url: text() }),
    input_audio: whole({ data: text('base64'), format: text() }),
    file: object({ file_id: text(), filename: text(), file_data: text() }),
    refusal: text(),
    cache_control: ref('CacheControl'),
    prompt_cache_breakpoint: object({ mode: text(), ttl: text() }),
  }),
  CacheControl: object({ type: must(text('ephemeral')), ttl: text('5m or 1h') }),
  ReasoningDetail: object({
    type: text('reasoning.text, reasoning.summary or reasoning.encrypted'),
    text: text(),
    summary: text(),
    data: text(),
    signature: text(),
    format: text(),
    id: orNull(text()),
    index: integer(),
  }),
  FunctionTool: object({
    name: must(text()),
    description: text(),
    parameters: map('JSON Schema of the arguments'),
    strict: orNull(flag()),
  }),
  ChatTool: object({
    type: must(text('function, custom, or a tool of the provider')),
    function: ref('FunctionTool'),
    custom: object({ name: must(text()), description: text(), format: map() }),
  }),
  ChatToolChoice: object({
    type: text('function, custom or allowed_tools'),
    function: whole({ name: text() }),
    custom: whole({ name: text() }),
    allowed_tools: object({ mode: words(['auto', 'required']), tools: list(map()) }),
  }),
  ChatResponseFormat: object({
    type: must(text('text, json_object or json_schema')),
    json_schema: object({
      name: must(text()),
      description: text(),
      schema: map('JSON Schema'),
      strict: orNull(flag()),
    }),
  }),
  ChatToolCall: object({
    index: integer('In a stream: which call the piece belongs to'),
    id: text(),
    type: text('function or custom'),
    function: object({ name: text(), arguments: text('JSON') }),
    custom: object({ name: text(), input: text() }),
    extra_content: map('Signatures that a provider wants back'),
  }),
  ChatUsage: object({
    prompt_tokens: must(count()),
    completion_tokens: must(count()),
    total_tokens: must(count()),
    prompt_tokens_details: object({ cached_tokens: count(), cache_write_tokens: count(), audio_tokens: count() }),
    completion_tokens_details: object({
      reasoning_tokens: count(),
      audio_tokens: count(),
      accepted_prediction_tokens: count(),
      rejected_prediction_tokens: count(),
    }),
  }),
  ChatAnswerMessage: object({
    ...answerFields,
    role: text('assistant'),
    content: must(orNull(text())),
    audio: orNull(object({ id: text(), data: text(), transcript: text(), expires_at: integer() })),
  }),
  ChatCompletion: object({
    ...headOf('chat.completion'),
    choices: must(
      list(
        object({
          index: must(count()),
          message: must(ref('ChatAnswerMessage')),
          logprobs: orNull(map()),
          finish_reason: must(orNull(text('stop, length, tool_calls, content_filter'))),
        }),
      ),
    ),
    usage,
    service_tier: orNull(text()),
    system_fingerprint: orNull(text()),
  }),
  ChatCompletionChunk: object({
    ...headOf('chat.completion.chunk'),
    choices: must(
      list(
        object({
          index: must(count()),
          delta: must(object(answerFields)),
          logprobs: orNull(map()),
          finish_reason: orNull(text()),
        }),
      ),
    ),
    usage,
  }),
  Completion: object(
    {
      ...headOf('text_completion'),
      choices: must(
        list(
          object({
            index: must(count()),
            text: must(text()),
            logprobs: orNull(map()),
            finish_reason: must(orNull(text('stop, length'))),
          }),
        ),
      ),
      usage,
    },
    'Whole, or one chunk of a stream',
  ),
};

const head = { created: 1_790_000_000, model: 'gpt-example' };
const tokens = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };

export const descriptions: Descriptions = {
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
