// The seven published compliance tests of the Open Responses specification (https://www.openresponses.org/compliance), from
// its facts: each on an upstream that speaks responses and on one of every other text protocol (contract-2 7).
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { z } from 'zod';
import { watchAnswers } from './support/watch-answers.ts';
import { type ChannelOptions, makeWorld, suiteGateway } from './support/world.ts';

const text = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.looseObject({ type: z.string() })),
  logprobs: z.array(z.unknown()),
});
const status = z.enum(['in_progress', 'completed', 'incomplete']);
const item = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('message'),
    id: z.string(),
    status,
    role: z.literal('assistant'),
    content: z.array(z.union([text, z.object({ type: z.literal('refusal'), refusal: z.string() })])),
  }),
  z.looseObject({
    type: z.literal('function_call'),
    id: z.string(),
    status,
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('reasoning'), id: z.string(), summary: z.array(z.unknown()) }),
]);
const tool = z.looseObject({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()).nullable(),
  strict: z.boolean().nullable(),
});
/** Every field that the specification requires of a response. */
const response = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.string(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(item),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(tool),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }) }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: z.looseObject({ effort: z.string().nullable(), summary: z.string().nullable() }).nullable(),
  usage: z
    .looseObject({
      input_tokens: z.int(),
      output_tokens: z.int(),
      total_tokens: z.int(),
      input_tokens_details: z.looseObject({ cached_tokens: z.int() }),
      output_tokens_details: z.looseObject({ reasoning_tokens: z.int() }),
    })
    .nullable(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.int().nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.string()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
});
type Response = z.infer<typeof response>;

const event = z.looseObject({ type: z.string(), sequence_number: z.int() });
const inItem = { item_id: z.string(), output_index: z.int() };
const inPart = { ...inItem, content_index: z.int() };
/** What each event must have beside its type and number. */
const events: Readonly<Record<string, z.ZodObject>> = {
  'response.created': event.extend({ response }),
  'response.in_progress': event.extend({ response }),
  'response.completed': event.extend({ response }),
  'response.output_item.added': event.extend({ output_index: z.int(), item }),
  'response.output_item.done': event.extend({ output_index: z.int(), item }),
  'response.content_part.added': event.extend({ ...inPart, part: text }),
  'response.content_part.done': event.extend({ ...inPart, part: text }),
  'response.output_text.delta': event.extend({ ...inPart, delta: z.string(), logprobs: z.array(z.unknown()) }),
  'response.output_text.done': event.extend({ ...inPart, text: z.string(), logprobs: z.array(z.unknown()) }),
  'response.function_call_arguments.delta': event.extend({ ...inItem, delta: z.string() }),
  'response.function_call_arguments.done': event.extend({ ...inItem, arguments: z.string() }),
};

const user = (content: unknown): object => ({ type: 'message', role: 'user', content });
const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'Current weather at a place',
  parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
};
/** One red pixel. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** The sandbox calls the tool that a prompt names. */
const ASKS_TOOL = { input: [user('Use get_weather for San Francisco.')], tools: [WEATHER] };

const CASES: Readonly<Record<string, { body: object; stream?: true; calls?: true }>> = {
  'a basic text': { body: { input: [user('Say hello in three words.')] } },
  'a stream': { body: { input: [user('Count to five.')] }, stream: true },
  'a system prompt': {
    body: { input: [{ type: 'message', role: 'system', content: 'Talk like a pirate.' }, user('Say hello.')] },
  },
  'a tool call': { body: ASKS_TOOL, calls: true },
  'a streamed tool call': { body: ASKS_TOOL, stream: true, calls: true },
  'a picture': {
    body: {
      input: [
        user([
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', image_url: PICTURE },
        ]),
      ],
    },
  },
  'several turns': {
    body: {
      input: [
        user('My name is Alice.'),
        { type: 'message', role: 'assistant', content: 'Hello Alice!' },
        user('What is my name?'),
      ],
    },
  },
};

describe('Open Responses compliance', async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);
  const routes: Record<string, ChannelOptions> = {
    responses: {},
    chat: { provider: 'openai', options: { speaks: ['chat'] } },
    messages: { provider: 'anthropic', base_url: gateway.upstream.baseUrl('anthropic') },
    'generate-content': { provider: 'gemini', base_url: gateway.upstream.baseUrl('gemini') },
  };
  for (const [protocol, channel] of Object.entries(routes))
    for (const [name, { body, stream = false, calls = false }] of Object.entries(CASES))
      test(`${name}, by an upstream that speaks ${protocol}`, async (t: TestContext) => {
        const world = await makeWorld(gateway, t, { channels: [channel] });
        const answer = await fetch(`${gateway.address}/v1/responses`, {
          method: 'POST',
          headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: world.model, ...body, stream }),
        });
        const received = await answer.text();
        assert.equal(answer.status, 200, received);
        const made = stream ? lastOf(received, calls) : response.parse(JSON.parse(received));
        assert.equal(made.status, 'completed');
        assert.ok(made.output.length > 0);
        if (calls) assert.ok(made.output.some(({ type }) => type === 'function_call'));
      });
});

function lastOf(received: string, calls: boolean): Response {
  const read = [...received.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => event.parse(JSON.parse(data)));
  for (const one of read) events[one.type]?.parse(one);
  const types = read.map(({ type }) => type);
  const needed = calls
    ? ['response.function_call_arguments.delta', 'response.function_call_arguments.done']
    : ['response.output_text.delta', 'response.output_text.done'];
  for (const type of ['response.output_item.added', ...needed, 'response.output_item.done'])
    assert.ok(types.includes(type), type);
  const last = read.at(-1);
  assert.equal(last?.type, 'response.completed');
  return response.parse(last['response']);
}
