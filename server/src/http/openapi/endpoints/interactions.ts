// Interactions in the OpenAPI document. https://ai.google.dev/api/interactions-api
import { interactionFields } from '../../../protocols/gemini-interactions/wire.ts';
import { bodyFrom } from '../from-fields.ts';
import {
  type Components,
  count,
  type Descriptions,
  either,
  list,
  map,
  must,
  object,
  ref,
  text,
  words,
} from '../schema.ts';

const body = bodyFrom({
  fields: interactionFields,
  required: ['input'],
  about: '`model` or `agent` is required.',
  notes: {
    model: 'Name of a model of GET /v1/models whose provider has interactions',
    agent: 'Name of an agent of the provider, listed as a model too',
    input: {
      about: 'Text, contents or steps of a conversation',
      schema: either(undefined, text(), map(), list(map())),
    },
    system_instruction: 'What the model is to do',
    previous_interaction_id: '`id` of an interaction that this one goes on from',
    stream: 'Answer as server-sent events',
    background: 'Answer at once, and go on in the background: ask for it by its id',
    store: 'Whether it is kept',
    tools: { about: 'What the model may call', schema: list(map()) },
    generation_config: {
      about: 'Settings; `max_output_tokens` limits the answer',
      schema: map(),
    },
    agent_config: { about: 'Settings of the agent', schema: map() },
    response_format: { about: 'Form of the answer', schema: either(undefined, map(), list(map())) },
    response_mime_type: 'Type of the answer',
    response_modalities: { about: 'text, image, audio', schema: list(text()) },
    safety_settings: { about: 'For the provider', schema: list(map()) },
    service_tier: 'Tier of the provider',
    cached_content: 'Cached content that this account made',
    environment: { about: 'Where code runs', schema: either(undefined, text(), map()) },
    continuation_token: 'Goes on with an answer that was interrupted',
    labels: { about: 'For the provider', schema: map() },
    webhook_config: { about: 'For the provider', schema: map() },
  },
});

const STATES = ['queued', 'in_progress', 'requires_action', 'completed', 'incomplete', 'failed', 'cancelled'];

export const components: Components = {
  Interaction: object({
    id: must(text()),
    model: text(),
    agent: text(),
    status: must(text(`${STATES.join(', ')} and others`)),
    steps: list(
      object({
        type: must(text('model_output, function_call, thought and others')),
        content: list(map()),
        id: text(),
        name: text(),
        arguments: map(),
      }),
    ),
    usage: object({
      total_input_tokens: count(),
      total_output_tokens: count(),
      total_thought_tokens: count(),
      total_cached_tokens: count(),
      total_tool_use_tokens: count(),
      total_tokens: count(),
    }),
    created: text(),
    updated: text(),
    previous_interaction_id: text(),
  }),
  InteractionEvent: object({
    event_type: must(
      words([
        'interaction.created',
        'interaction.status_update',
        'step.start',
        'step.delta',
        'step.stop',
        'interaction.completed',
        'error',
      ]),
    ),
    event_id: text(),
    index: count(),
    interaction: ref('Interaction'),
    step: map(),
    delta: map(),
    error: object({ code: text(), message: text() }),
  }),
};

const answerExample = {
  id: 'v1_1',
  status: 'completed',
  model: 'gemini-example',
  steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Hello.' }] }],
  usage: { total_input_tokens: 9, total_output_tokens: 3, total_tokens: 12 },
};
const answer = ref('Interaction');

export const descriptions: Descriptions = {
  'POST /v1beta/interactions': {
    operationId: 'createInteraction',
    body,
    example: { model: 'gemini-example', input: 'Say hello.' },
    answer,
    answerExample,
    event: ref('InteractionEvent'),
  },
  'GET /v1beta/interactions/{interaction_id}': { operationId: 'getInteraction', answer, answerExample },
  'POST /v1beta/interactions/{interaction_id}/cancel': {
    operationId: 'cancelInteraction',
    answer,
    answerExample: { id: 'v1_1', status: 'cancelled' },
  },
  'DELETE /v1beta/interactions/{interaction_id}': { operationId: 'deleteInteraction', answer: map() },
};
