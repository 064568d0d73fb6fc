// /v1/responses and what is kept of it, in the OpenAPI document.
import { knownFields } from '../../../protocols/openai-responses/client/read-generation.ts';
import { responseFields } from '../../../protocols/openai-responses/wire.ts';
import { bodyFrom } from '../from-fields.ts';
import {
  any,
  type Components,
  count,
  type Descriptions,
  either,
  eventsOf,
  flag,
  integer,
  list,
  map,
  must,
  object,
  oneWord,
  orNull,
  parameter,
  ref,
  type Schema,
  text,
  whole,
} from '../schema.ts';

const table = {
  fields: responseFields,
  required: ['model'],
  notes: {
    model: 'Name of a model of GET /v1/models',
    input: {
      about: 'Text, or items of a conversation. Required, unless `prompt` or `previous_response_id` stands for it',
      schema: either(undefined, text(), list(ref('ResponseInputItem'))),
    },
    prompt: {
      about: 'A prompt that the provider keeps',
      schema: object({ id: text(), version: text(), variables: map() }),
    },
    instructions: 'What the model is to do, before the input',
    previous_response_id: '`id` of a stored response that this one goes on from',
    conversation: { about: 'A conversation that the provider keeps', schema: either(undefined, text(), map()) },
    stream: 'Answer as server-sent events',
    stream_options: { about: 'Options of the stream', schema: map() },
    background: 'Answer at once, and go on in the background: ask for it by its id',
    store: 'Whether the response is kept',
    max_output_tokens: { about: 'Most output tokens', least: 1 },
    temperature: 'Sampling temperature',
    top_p: 'Nucleus sampling',
    tools: { about: 'What the model may call', schema: list(ref('ResponseTool')) },
    tool_choice: { about: 'auto, none, required, or the tool to call', schema: either(undefined, text(), map()) },
    parallel_tool_calls: 'Whether several tools may be called at once',
    reasoning: {
      about: 'How much the model thinks, and what of it is shown',
      schema: object({ effort: orNull(text()), summary: orNull(text()), generate_summary: orNull(text()) }),
    },
    text: {
      about: 'Form of the answer',
      schema: object({
        format: object({
          type: text('text, json_object or json_schema'),
          name: text(),
          description: text(),
          schema: map('JSON Schema'),
          strict: orNull(flag()),
        }),
        verbosity: orNull(text('low, medium or high')),
      }),
    },
    include: { about: 'What else to put into the answer', schema: list(text()) },
    truncation: 'auto or disabled',
    metadata: { about: 'Passed on', schema: map() },
    service_tier: 'Tier of the provider',
    safety_identifier: 'Who asks, for the provider',
  },
};
const body = bodyFrom({
  ...table,
  known: knownFields,
  notes: {
    ...table.notes,
    user: { about: 'Who asks, for the provider; older name of safety_identifier', schema: text() },
    prompt_cache_key: { about: 'Which prompts share a cache at the provider', schema: text() },
    top_logprobs: { about: 'Of how many of the likeliest tokens', schema: integer() },
  },
});

/** Of a conversation that is counted or compacted: nothing is answered, streamed or kept. */
const conversationBody = bodyFrom(table);

const response = ref('Response');
const part = object({ type: text(), text: text(), refusal: text(), annotations: list(map()), logprobs: list(any()) });
/** Every event has a number, and what it is about. */
const event = (type: string, fields: Record<string, Schema>): Schema =>
  object({ type: must(oneWord(type)), sequence_number: count(), ...fields });
const ofItem = { item_id: text(), output_index: count() };
const ofPart = { ...ofItem, content_index: count() };
const ofSummary = { ...ofItem, summary_index: count() };

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const EVENTS: Record<string, Record<string, Schema>> = {
  'response.created': { response },
  'response.queued': { response },
  'response.in_progress': { response },
  'response.completed': { response },
  'response.incomplete': { response },
  'response.failed': { response },
  'response.output_item.added': { output_index: count(), item: ref('ResponseItem') },
  'response.output_item.done': { output_index: count(), item: ref('ResponseItem') },
  'response.content_part.added': { ...ofPart, part },
  'response.content_part.done': { ...ofPart, part },
  'response.output_text.delta': { ...ofPart, delta: text(), logprobs: list(any()), obfuscation: text() },
  'response.output_text.done': { ...ofPart, text: text(), logprobs: list(any()) },
  'response.output_text.annotation.added': { ...ofPart, annotation_index: count(), annotation: map() },
  'response.refusal.delta': { ...ofPart, delta: text() },
  'response.refusal.done': { ...ofPart, refusal: text() },
  'response.function_call_arguments.delta': { ...ofItem, delta: text() },
  'response.function_call_arguments.done': { ...ofItem, name: text(), arguments: text() },
  'response.custom_tool_call_input.delta': { ...ofItem, delta: text() },
  'response.custom_tool_call_input.done': { ...ofItem, input: text() },
  'response.reasoning_text.delta': { ...ofPart, delta: text() },
  'response.reasoning_text.done': { ...ofPart, text: text() },
  'response.reasoning_summary_part.added': { ...ofSummary, part },
  'response.reasoning_summary_part.done': { ...ofSummary, part },
  'response.reasoning_summary_text.delta': { ...ofSummary, delta: text() },
  'response.reasoning_summary_text.done': { ...ofSummary, text: text() },
  'response.web_search_call.in_progress': ofItem,
  'response.web_search_call.searching': ofItem,
  'response.web_search_call.completed': ofItem,
  error: { code: orNull(text()), message: text(), param: orNull(text()) },
};

const nameOf = (type: string): string =>
  `ResponseEvent${type.replace(/^response/, '').replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

const eventComponents = Object.fromEntries(
  Object.entries(EVENTS).map(([type, fields]) => [nameOf(type), event(type, fields)]),
);

const itemFields = {
  type: text('message, reasoning, function_call, web_search_call and others'),
  id: text(),
  status: text(),
  role: text(),
  content: list(part),
  summary: list(object({ type: text(), text: text() })),
  encrypted_content: orNull(text()),
  call_id: text(),
  name: text(),
  arguments: text('JSON'),
  input: text(),
};

export const components: Components = {
  ResponseInputItem: object({
    ...itemFields,
    content: either(undefined, text(), list(ref('ResponseInputPart'))),
    output: either('Of a call that the client has made', text(), list(ref('ResponseInputPart'))),
  }),
  ResponseInputPart: object({
    type: must(text('input_text, input_image, input_file, output_text and others')),
    text: text(),
    image_url: orNull(text('https address or data: address')),
    detail: text(),
    file_id: orNull(text()),
    file_url: text(),
    file_data: text(),
    filename: text(),
    input_audio: whole({ data: text('base64'), format: text() }),
    annotations: list(map()),
    refusal: text(),
    logprobs: list(any()),
    cache_control: ref('CacheControl'),
    prompt_cache_breakpoint: object({ mode: text(), ttl: text() }),
  }),
  ResponseTool: object({
    type: must(text('function, custom, or a tool of the provider such as web_search')),
    name: text(),
    description: text(),
    parameters: { type: ['object', 'null'], additionalProperties: true, description: 'JSON Schema of the arguments' },
    strict: orNull(flag()),
    format: map(),
  }),
  ResponseItem: object({ ...itemFields, type: must(itemFields.type) }),
  ResponseUsage: object({
    input_tokens: must(count()),
    input_tokens_details: object({ cached_tokens: count(), cache_write_tokens: count() }),
    output_tokens: must(count()),
    output_tokens_details: object({ reasoning_tokens: count() }),
    total_tokens: count(),
  }),
  Response: object({
    id: must(text()),
    object: oneWord('response'),
    created_at: integer('Unix seconds'),
    status: text('queued, in_progress, completed, incomplete, failed or cancelled'),
    error: orNull(map()),
    incomplete_details: orNull(map()),
    model: text(),
    output: must(list(ref('ResponseItem'))),
    usage: orNull(ref('ResponseUsage')),
    background: orNull(flag()),
    metadata: orNull(map()),
  }),
  CompactedResponse: object({
    id: must(text()),
    object: must(oneWord('response.compaction')),
    created_at: integer('Unix seconds'),
    output: must(list(ref('ResponseItem'), 'To be sent as the input of the next request')),
    usage: ref('ResponseUsage'),
  }),
  ResponseEvent: eventsOf(
    Object.fromEntries(Object.keys(EVENTS).map((type) => [type, nameOf(type)])),
    'Providers may send events of other types between these; clients skip them.',
  ),
  ...eventComponents,
};

const answerExample = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'gpt-example',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] }],
  usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
};

const ITEMS_QUERY = ['limit', 'order', 'after', 'include'].map((name) =>
  parameter(name, text(), 'Handed on to the provider'),
);

export const descriptions: Descriptions = {
  'POST /v1/responses': {
    operationId: 'createResponse',
    body,
    example: { model: 'gpt-example', input: 'Say hello.', max_output_tokens: 100 },
    answer: response,
    answerExample,
    event: ref('ResponseEvent'),
  },
  'POST /v1/responses/input_tokens': {
    operationId: 'countResponseTokens',
    body: conversationBody,
    example: { model: 'gpt-example', input: 'Say hello.' },
    answer: whole({ object: oneWord('response.input_tokens'), input_tokens: count() }),
    answerExample: { object: 'response.input_tokens', input_tokens: 9 },
    says: 'The count, from the provider or estimated (`x-tollgate-usage-source`)',
  },
  'POST /v1/responses/compact': {
    operationId: 'compactResponse',
    body: conversationBody,
    example: { model: 'gpt-example', input: 'Say hello.' },
    answer: ref('CompactedResponse'),
    answerExample: {
      id: 'resp_1',
      object: 'response.compaction',
      created_at: 1,
      output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' }],
      usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
    },
  },
  'GET /v1/responses/{response_id}': { operationId: 'getResponse', answer: response, answerExample },
  'POST /v1/responses/{response_id}/cancel': {
    operationId: 'cancelResponse',
    answer: response,
    answerExample: { ...answerExample, status: 'cancelled', output: [] },
  },
  'GET /v1/responses/{response_id}/input_items': {
    operationId: 'listResponseInputItems',
    answer: object({
      object: must(oneWord('list')),
      data: must(list(ref('ResponseInputItem'))),
      first_id: orNull(text()),
      last_id: orNull(text()),
      has_more: flag(),
    }),
    answerExample: { object: 'list', data: [{ role: 'user', content: 'Say hello.' }], has_more: false },
    query: ITEMS_QUERY,
  },
  'DELETE /v1/responses/{response_id}': {
    operationId: 'deleteResponse',
    answer: object({ id: must(text()), object: text(), deleted: must({ type: 'boolean', const: true }) }),
    answerExample: { id: 'resp_1', object: 'response', deleted: true },
  },
};
