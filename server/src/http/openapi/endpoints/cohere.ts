// Cohere's own paths in the OpenAPI document. https://docs.cohere.com/reference
import { chatFields } from '../../../protocols/cohere-chat/wire.ts';
import { embedFields } from '../../../protocols/cohere-embed/wire.ts';
import { bodyFrom } from '../from-fields.ts';
import {
  type Components,
  count,
  type Descriptions,
  either,
  list,
  map,
  must,
  number,
  object,
  oneWord,
  ref,
  type Schema,
  text,
  words,
} from '../schema.ts';

const chatBody = bodyFrom({
  fields: chatFields,
  required: ['model', 'messages'],
  notes: {
    model: 'Name of a model of GET /v1/models',
    messages: { about: 'The conversation', schema: list(ref('CohereMessage'), undefined, { minItems: 1 }) },
    stream: 'Answer as server-sent events',
    max_tokens: { about: 'Most output tokens', least: 1 },
    temperature: 'Sampling temperature',
    p: 'Nucleus sampling',
    k: 'Sampling among the k likeliest tokens; 0 turns it off',
    seed: 'For answers that can be repeated',
    stop_sequences: { about: 'Stop sequences', schema: list(text()) },
    frequency_penalty: 'Against repetition',
    presence_penalty: 'Against repetition',
    tools: { about: 'What the model may call', schema: list(map()) },
    tool_choice: 'REQUIRED or NONE',
    strict_tools: 'Calls follow the schemas of the tools',
    documents: {
      about: 'What the answer is to go by: texts, or objects with `data`',
      schema: list(either(undefined, text(), object({ id: text(), data: must(map()) }))),
    },
    citation_options: { about: 'Whether sources are named', schema: object({ mode: text() }) },
    response_format: {
      about: 'Form of the answer',
      schema: object({ type: text('text or json_object'), json_schema: map('JSON Schema') }),
    },
    safety_mode: 'For the provider',
    thinking: {
      about: 'Whether and how much the model thinks',
      schema: object({ type: text('enabled or disabled'), token_budget: count() }),
    },
    logprobs: 'For the provider',
    priority: 'For the provider',
  },
});

const embedBody = bodyFrom({
  fields: embedFields,
  required: ['model'],
  notes: {
    model: 'Name of a model of GET /v1/models',
    texts: { about: 'Texts; one of `texts`, `inputs` and `images` is required', schema: list(text()) },
    inputs: {
      about: 'Inputs of several parts; text alone on most models',
      schema: list(object({ content: list(map()) })),
    },
    images: { about: 'Data URLs of pictures; only where the provider is of this kind', schema: list(text()) },
    input_type: 'What the vectors are for, for the provider',
    embedding_types: {
      about: 'float or base64; further types only where the provider is of this kind',
      schema: list(text()),
    },
    output_dimension: { about: 'Length of the vectors', least: 1 },
    truncate: 'END, START or NONE, for the provider',
    max_tokens: 'Per input, for the provider',
    priority: 'For the provider',
  },
});

const content = object({
  type: must(text('text, thinking, image_url or document')),
  text: text(),
  thinking: text(),
  image_url: map(),
});
const call = object({
  id: must(text()),
  type: must(oneWord('function')),
  function: object({ name: text(), arguments: text('JSON') }),
});
const tokens = object({ input_tokens: count(), output_tokens: count() });
const usage = object({ billed_units: tokens, tokens, cached_tokens: count() });
const finishReason = words(['COMPLETE', 'STOP_SEQUENCE', 'MAX_TOKENS', 'TOOL_CALL', 'ERROR', 'TIMEOUT']);
const EVENT_TYPES = [
  'message-start',
  'content-start',
  'content-delta',
  'content-end',
  'tool-plan-delta',
  'tool-call-start',
  'tool-call-delta',
  'tool-call-end',
  'citation-start',
  'citation-end',
  'message-end',
  'debug',
];

export const components: Components = {
  CohereMessage: object({
    role: must(words(['system', 'user', 'assistant', 'tool'])),
    content: either('Text, or parts', text(), list(content)),
    tool_calls: list(call),
    tool_plan: text('What the model said before its calls'),
    tool_call_id: text('Of the call that a result belongs to'),
    citations: list(map()),
  }),
  CohereAnswer: object({
    id: must(text()),
    finish_reason: must(finishReason),
    message: must(
      object({
        role: oneWord('assistant'),
        content: list(content),
        tool_calls: list(call),
        citations: list(map()),
      }),
    ),
    usage,
  }),
  CohereEvent: object({
    type: must(words(EVENT_TYPES)),
    id: text(),
    index: count('Of the content, or of the call'),
    delta: object({ message: map(), finish_reason: text(), usage, error: text() }),
  }),
};

const vectors: Schema = object({ float: list(list(number())), base64: list(text()) });

export const descriptions: Descriptions = {
  'POST /v2/chat': {
    operationId: 'cohereChat',
    body: chatBody,
    example: { model: 'command-example', messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 100 },
    answer: ref('CohereAnswer'),
    answerExample: {
      id: '1',
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
      usage: { tokens: { input_tokens: 9, output_tokens: 3 } },
    },
    event: ref('CohereEvent'),
  },
  'POST /v2/embed': {
    operationId: 'cohereEmbed',
    body: embedBody,
    example: { model: 'embedding-example', input_type: 'search_document', texts: ['A text', 'Another'] },
    answer: object({
      id: must(text()),
      response_type: oneWord('embeddings_by_type'),
      embeddings: must(vectors),
      texts: list(text()),
      meta: object({
        api_version: object({ version: text() }),
        billed_units: object({ input_tokens: count() }),
      }),
    }),
    answerExample: {
      id: '1',
      response_type: 'embeddings_by_type',
      embeddings: { float: [[0.1, -0.2]] },
      meta: { billed_units: { input_tokens: 2 } },
    },
  },
};
