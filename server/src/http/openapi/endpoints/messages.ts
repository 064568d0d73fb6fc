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
  object,
  oneWord,
  orNull,
  ref,
  text,
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
      schema: object({ type: text('auto, any, tool or none'), name: text(), disable_parallel_tool_use: flag() }, [
        'type',
      ]),
    },
    thinking: {
      about: 'Whether and how much the model thinks; `budget_tokens` must be below `max_tokens`',
      schema: object({ type: text('enabled, disabled or adaptive'), budget_tokens: count(), display: text() }, [
        'type',
      ]),
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

const source = object(
  {
    type: text('base64, url, text, content or file'),
    media_type: text(),
    data: text(),
    url: text(),
    file_id: text(),
    content: either(undefined, text(), list(map())),
  },
  ['type'],
);

export const messageComponents: Components = {
  Message: object(
    {
      role: words(['user', 'assistant', 'system']),
      content: either('Text, or blocks', text(), list(ref('MessageBlock'))),
    },
    ['role', 'content'],
  ),
  MessageBlock: object(
    {
      type: text('text, image, document, search_result, thinking, redacted_thinking, tool_use, tool_result and others'),
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
    },
    ['type'],
  ),
  MessageTool: object(
    {
      type: orNull(text('custom, or a tool of the provider')),
      name: text(),
      description: text(),
      input_schema: map('JSON Schema of the arguments'),
      strict: flag(),
      eager_input_streaming: flag(),
      cache_control: orNull(ref('CacheControl')),
    },
    ['name'],
  ),
  MessageUsage: object({
    input_tokens: count('Without those that were read from or written to a cache'),
    cache_read_input_tokens: orNull(count()),
    cache_creation_input_tokens: orNull(count()),
    output_tokens: count(),
    service_tier: orNull(text()),
  }),
  MessageAnswer: object(
    {
      id: text(),
      type: oneWord('message'),
      role: oneWord('assistant'),
      model: text(),
      content: list(ref('MessageBlock')),
      stop_reason: orNull(text('end_turn, max_tokens, stop_sequence, tool_use, refusal, pause_turn')),
      stop_sequence: orNull(text()),
      usage: ref('MessageUsage'),
    },
    ['id', 'type', 'role', 'model', 'content', 'stop_reason', 'usage'],
  ),
  MessageStart: object({ type: oneWord('message_start'), message: ref('MessageAnswer') }, ['type', 'message']),
  MessageBlockStart: object(
    { type: oneWord('content_block_start'), index: count(), content_block: ref('MessageBlock') },
    ['type', 'index', 'content_block'],
  ),
  MessageBlockDelta: object(
    {
      type: oneWord('content_block_delta'),
      index: count(),
      delta: object(
        {
          type: text('text_delta, input_json_delta, thinking_delta, signature_delta or citations_delta'),
          text: text(),
          partial_json: text(),
          thinking: text(),
          signature: text(),
          citation: map(),
        },
        ['type'],
      ),
    },
    ['type', 'index', 'delta'],
  ),
  MessageBlockStop: object({ type: oneWord('content_block_stop'), index: count() }, ['type', 'index']),
  MessageDelta: object(
    {
      type: oneWord('message_delta'),
      delta: object({ stop_reason: orNull(text()), stop_sequence: orNull(text()) }),
      usage: ref('MessageUsage'),
    },
    ['type', 'delta'],
  ),
  MessageStop: object({ type: oneWord('message_stop') }, ['type']),
  MessagePing: object({ type: oneWord('ping') }, ['type']),
  MessageError: object(
    {
      type: oneWord('error'),
      error: object({ type: text(), message: text() }, ['type', 'message']),
      request_id: text(),
    },
    ['type', 'error'],
  ),
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

export const messageDescriptions: Descriptions = {
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
    answer: object({ input_tokens: count() }, ['input_tokens']),
    answerExample: { input_tokens: 9 },
    says: 'The count, from the provider or estimated (`x-tollgate-usage-source`)',
  },
};
