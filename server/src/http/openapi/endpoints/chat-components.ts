// Messages, tools and answers of chat and completions in the OpenAPI document.
import {
  type Components,
  count,
  either,
  flag,
  integer,
  list,
  map,
  object,
  oneWord,
  orNull,
  ref,
  text,
  words,
} from '../schema.ts';

const usage = orNull(ref('ChatUsage'));
const toolCalls = list(ref('ChatToolCall'));
const annotations = list(
  object({
    type: text(),
    url_citation: object({ url: text(), title: text(), start_index: integer(), end_index: integer() }),
  }),
);

export const chatComponents: Components = {
  StreamOptions: object({ include_usage: flag('Usage in a last chunk before [DONE]') }),
  ChatMessage: object(
    {
      role: text('system, developer, user, assistant or tool'),
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
    },
    ['role'],
  ),
  ChatContentPart: object(
    {
      type: text('text, image_url, input_audio, file, and others of the provider'),
      text: text(),
      image_url: object({ url: text('https address or data: address'), detail: text() }, ['url']),
      video_url: object({ url: text() }, ['url']),
      input_audio: object({ data: text('base64'), format: text() }, ['data', 'format']),
      file: object({ file_id: text(), filename: text(), file_data: text() }),
      refusal: text(),
      cache_control: ref('CacheControl'),
      prompt_cache_breakpoint: object({ mode: text(), ttl: text() }),
    },
    ['type'],
  ),
  CacheControl: object({ type: text('ephemeral'), ttl: text('5m or 1h') }, ['type']),
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
  FunctionTool: object(
    { name: text(), description: text(), parameters: map('JSON Schema of the arguments'), strict: orNull(flag()) },
    ['name'],
  ),
  ChatTool: object(
    {
      type: text('function, custom, or a tool of the provider'),
      function: ref('FunctionTool'),
      custom: object({ name: text(), description: text(), format: map() }, ['name']),
    },
    ['type'],
  ),
  ChatToolChoice: object({
    type: text('function, custom or allowed_tools'),
    function: object({ name: text() }, ['name']),
    custom: object({ name: text() }, ['name']),
    allowed_tools: object({ mode: words(['auto', 'required']), tools: list(map()) }),
  }),
  ChatResponseFormat: object(
    {
      type: text('text, json_object or json_schema'),
      json_schema: object({ name: text(), description: text(), schema: map('JSON Schema'), strict: orNull(flag()) }, [
        'name',
      ]),
    },
    ['type'],
  ),
  ChatToolCall: object({
    index: integer('In a stream: which call the piece belongs to'),
    id: text(),
    type: text('function or custom'),
    function: object({ name: text(), arguments: text('JSON') }),
    custom: object({ name: text(), input: text() }),
    extra_content: map('Signatures that a provider wants back'),
  }),
  ChatUsage: object(
    {
      prompt_tokens: count(),
      completion_tokens: count(),
      total_tokens: count(),
      prompt_tokens_details: object({ cached_tokens: count(), cache_write_tokens: count(), audio_tokens: count() }),
      completion_tokens_details: object({
        reasoning_tokens: count(),
        audio_tokens: count(),
        accepted_prediction_tokens: count(),
        rejected_prediction_tokens: count(),
      }),
    },
    ['prompt_tokens', 'completion_tokens', 'total_tokens'],
  ),
  ChatAnswerMessage: object(
    {
      role: text('assistant'),
      content: orNull(text()),
      refusal: orNull(text()),
      reasoning_content: text(),
      reasoning_details: list(ref('ReasoningDetail')),
      annotations,
      tool_calls: toolCalls,
      images: list(object({ type: text(), image_url: object({ url: text() }) })),
      audio: orNull(object({ id: text(), data: text(), transcript: text(), expires_at: integer() })),
    },
    ['content'],
  ),
  ChatCompletion: object(
    {
      id: text(),
      object: oneWord('chat.completion'),
      created: integer('Unix seconds'),
      model: text(),
      choices: list(
        object(
          {
            index: count(),
            message: ref('ChatAnswerMessage'),
            logprobs: orNull(map()),
            finish_reason: orNull(text('stop, length, tool_calls, content_filter')),
          },
          ['index', 'message', 'finish_reason'],
        ),
      ),
      usage,
      service_tier: orNull(text()),
      system_fingerprint: orNull(text()),
    },
    ['id', 'object', 'created', 'model', 'choices'],
  ),
  ChatCompletionChunk: object(
    {
      id: text(),
      object: oneWord('chat.completion.chunk'),
      created: integer('Unix seconds'),
      model: text(),
      choices: list(
        object(
          {
            index: count(),
            delta: object({
              role: text(),
              content: orNull(text()),
              refusal: orNull(text()),
              reasoning_content: text(),
              reasoning_details: list(ref('ReasoningDetail')),
              annotations,
              tool_calls: toolCalls,
              images: list(object({ type: text(), image_url: object({ url: text() }) })),
            }),
            logprobs: orNull(map()),
            finish_reason: orNull(text()),
          },
          ['index', 'delta'],
        ),
      ),
      usage,
    },
    ['id', 'object', 'created', 'model', 'choices'],
  ),
  Completion: object(
    {
      id: text(),
      object: oneWord('text_completion'),
      created: integer('Unix seconds'),
      model: text(),
      choices: list(
        object({ index: count(), text: text(), logprobs: orNull(map()), finish_reason: orNull(text('stop, length')) }, [
          'index',
          'text',
          'finish_reason',
        ]),
      ),
      usage,
    },
    ['id', 'object', 'created', 'model', 'choices'],
    'Whole, or one chunk of a stream',
  ),
};
