// The message-style endpoints in the OpenAPI document. https://platform.claude.com/docs/en/api/messages
import { knownFields } from '../../../protocols/anthropic-messages/client/read-generation.ts';
import { messageFields } from '../../../protocols/anthropic-messages/wire.ts';
import { bodyFrom } from '../from-fields.ts';
import {
  type Components,
  count,
  type Descriptions,
  either,
  eventsOf,
  flag,
  list,
  map,
  must,
  object,
  oneWord,
  orNull,
  ref,
  text,
  whole,
  words,
} from '../schema.ts';

const table = {
  fields: messageFields,
  known: knownFields,
  notes: {
    model: 'Name of a model of GET /v1/models',
    max_tokens: { about: 'Most output tokens', least: 1 },
    messages: { about: 'The conversation', schema: list(ref('Message'), undefined, { minItems: 1 }) },
    system: {
      about: 'What the model is to do: text, or blocks of text',
      schema: either(undefined, text(), list(ref('MessageBlock'))),
    },
    stream: 'Answer as server-sent events',
    temperature: 'Sampling temperature',
    top_p: 'Nucleus sampling',
    top_k: 'Sampling among the k likeliest tokens',
    stop_sequences: { about: 'Stop sequences', schema: list(text()) },
    tools: { about: 'What the model may call', schema: list(ref('MessageTool')) },
    tool_choice: {
      about: 'Which tool to call',
      schema: object({ type: must(text('auto, any, tool or none')), name: text(), disable_parallel_tool_use: flag() }),
    },
    thinking: {
      about: 'Whether and how much the model thinks; `budget_tokens` must be below `max_tokens`',
      schema: object({ type: must(text('enabled, disabled or adaptive')), budget_tokens: count(), display: text() }),
    },
    output_config: { about: 'Effort and form of the answer', schema: object({ effort: text(), format: map() }) },
    output_format: { about: 'Older name of output_config.format', schema: map() },
    cache_control: { about: 'Caches the prompt up to its last block', schema: ref('CacheControl') },
    metadata: { about: 'Who asks, for the provider', schema: object({ user_id: orNull(text()) }) },
    service_tier: 'auto or standard_only',
    speed: 'standard or fast',
  },
};

const body = bodyFrom({ ...table, required: ['model', 'max_tokens', 'messages'] });
const countBody = bodyFrom({ ...table, required: ['model', 'messages'] });

const source = object({
  type: must(text('base64, url, text, content or file')),
  media_type: text(),
  data: text(),
  url: text(),
  file_id: text(),
  content: either(undefined, text(), list(map())),
});

export const components: Components = {
  Message: whole({
    role: words(['user', 'assistant', 'system']),
    content: either('Text, or blocks', text(), list(ref('MessageBlock'))),
  }),
  MessageBlock: object({
    type: must(
      text('text, image, document, search_result, thinking, redacted_thinking, tool_use, tool_result and others'),
    ),
    text: text(),
    citations: orNull(list(map())),
    source: either(undefined, source, text()),
    title: orNull(text()),
    thinking: text(),
    signature: text(),
    data: text(),
    id: text(),
    name: text(),
    input: map('Arguments of a tool'),
    caller: map(),
    tool_use_id: text('Of the call that a result belongs to'),
    content: either('Of a result', text(), list(map())),
    is_error: flag(),
    cache_control: orNull(ref('CacheControl')),
  }),
  MessageTool: object({
    type: orNull(text('custom, or a tool of the provider')),
    name: must(text()),
    description: text(),
    input_schema: map('JSON Schema of the arguments'),
    strict: flag(),
    eager_input_streaming: flag(),
    cache_control: orNull(ref('CacheControl')),
  }),
  MessageUsage: object({
    input_tokens: count('Without those that were read from or written to a cache'),
    cache_read_input_tokens: orNull(count()),
    cache_creation_input_tokens: orNull(count()),
    output_tokens: count(),
    service_tier: orNull(text()),
  }),
  MessageAnswer: object({
    id: must(text()),
    type: must(oneWord('message')),
    role: must(oneWord('assistant')),
    model: must(text()),
    content: must(list(ref('MessageBlock'))),
    stop_reason: must(orNull(text('end_turn, max_tokens, stop_sequence, tool_use, refusal, pause_turn'))),
    stop_sequence: orNull(text()),
    usage: must(ref('MessageUsage')),
  }),
  MessageStart: whole({ type: oneWord('message_start'), message: ref('MessageAnswer') }),
  MessageBlockStart: whole({
    type: oneWord('content_block_start'),
    index: count(),
    content_block: ref('MessageBlock'),
  }),
  MessageBlockDelta: whole({
    type: oneWord('content_block_delta'),
    index: count(),
    delta: object({
      type: must(text('text_delta, input_json_delta, thinking_delta, signature_delta or citations_delta')),
      text: text(),
      partial_json: text(),
      thinking: text(),
      signature: text(),
      citation: map(),
    }),
  }),
  MessageBlockStop: whole({ type: oneWord('content_block_stop'), index: count() }),
  MessageDelta: object({
    type: must(oneWord('message_delta')),
    delta: must(object({ stop_reason: orNull(text()), stop_sequence: orNull(text()) })),
    usage: ref('MessageUsage'),
  }),
  MessageStop: whole({ type: oneWord('message_stop') }),
  MessagePing: whole({ type: oneWord('ping') }),
  MessageError: object({
    type: must(oneWord('error')),
    error: must(whole({ type: text(), message: text() })),
    request_id: text(),
  }),
  MessageEvent: eventsOf(
    {
      message_start: 'MessageStart',
      content_block_start: 'MessageBlockStart',
      content_block_delta: 'MessageBlockDelta',
      content_block_stop: 'MessageBlockStop',
      message_delta: 'MessageDelta',
      message_stop: 'MessageStop',
      ping: 'MessagePing',
      error: 'MessageError',
    },
    'The name of the event is its `type`.',
  ),
};

const conversation = { model: 'claude-example', messages: [{ role: 'user', content: 'Say hello.' }] };

export const descriptions: Descriptions = {
  'POST /v1/messages': {
    operationId: 'createMessage',
    body,
    example: { ...conversation, max_tokens: 100 },
    answer: ref('MessageAnswer'),
    answerExample: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-example',
      content: [{ type: 'text', text: 'Hello.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 9, output_tokens: 3 },
    },
    event: ref('MessageEvent'),
  },
  'POST /v1/messages/count_tokens': {
    operationId: 'countMessageTokens',
    body: countBody,
    example: conversation,
    answer: whole({ input_tokens: count() }),
    answerExample: { input_tokens: 9 },
    says: 'The count, from the provider or estimated (`x-tollgate-usage-source`)',
  },
};
