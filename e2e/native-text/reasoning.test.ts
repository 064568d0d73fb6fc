// Reasoning that an upstream shows reaches clients of every other protocol, whole and streamed, and what is sealed in it
// comes back to the upstream that made it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientsOf } from '../conformance/axes.ts';
import type { ToolOffer } from '../conformance/driver.ts';
import { makeWorld, suiteGateway } from '../support/world.ts';
import { startRecorder } from './recorder.ts';

const WEATHER: ToolOffer = {
  name: 'get_weather',
  description: 'The weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const QUESTION = { prompt: 'Think, then ask for the weather.', tools: [WEATHER], reasons: true };
const ARGUMENTS = '{"city":"Rome"}';

const events = (list: readonly object[]): string => list.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
const typedEvents = (list: readonly ({ type: string } & Record<string, unknown>)[]): string =>
  list.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('');

const chatCall = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: ARGUMENTS } };
const chatUsage = { prompt_tokens: 9, completion_tokens: 8, total_tokens: 17 };
const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
});
const chat = {
  name: 'chat',
  whole: JSON.stringify({
    id: 'c1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, reasoning_content: 'I weigh it.', tool_calls: [chatCall] },
        finish_reason: 'tool_calls',
      },
    ],
    usage: chatUsage,
  }),
  stream: `${events([
    chunk({ role: 'assistant', reasoning_content: 'I weigh ' }),
    chunk({ reasoning_content: 'it.' }),
    chunk({ tool_calls: [{ index: 0, ...chatCall }] }),
    chunk({}, 'tool_calls'),
    { id: 'c1', choices: [], usage: chatUsage },
  ])}data: [DONE]\n\n`,
  sealed: false,
};

const thought = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'I weigh it.' }],
  encrypted_content: 'c2VhbGVk',
};
const responseCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: ARGUMENTS,
  status: 'completed',
};
const response = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [thought, responseCall],
  usage: {
    input_tokens: 9,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 8,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 17,
  },
};
const summary = { item_id: 'rs_1', output_index: 0, summary_index: 0 };
const responses = {
  name: 'responses',
  whole: JSON.stringify(response),
  stream: typedEvents([
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item: { ...thought, summary: [] } },
    { type: 'response.reasoning_summary_part.added', ...summary, part: { type: 'summary_text', text: '' } },
    { type: 'response.reasoning_summary_text.delta', ...summary, delta: 'I weigh ' },
    { type: 'response.reasoning_summary_text.delta', ...summary, delta: 'it.' },
    { type: 'response.reasoning_summary_text.done', ...summary, text: 'I weigh it.' },
    { type: 'response.reasoning_summary_part.done', ...summary, part: thought.summary[0] },
    { type: 'response.output_item.done', output_index: 0, item: thought },
    { type: 'response.output_item.added', output_index: 1, item: { ...responseCall, arguments: '' } },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: ARGUMENTS },
    { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 1, arguments: ARGUMENTS },
    { type: 'response.output_item.done', output_index: 1, item: responseCall },
    { type: 'response.completed', response },
  ]),
  sealed: true,
};

describe('reasoning of an upstream', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();

  for (const upstream of [chat, responses])
    for (const stream of [false, true])
      test(`of ${upstream.name} reaches every client, ${stream ? 'streamed' : 'whole'}`, async (t) => {
        const type = stream ? 'text/event-stream' : 'application/json';
        const recorder = await startRecorder(t, { type, body: stream ? upstream.stream : upstream.whole });
        const channels = [{ base_url: `${recorder.address}/v1`, options: { speaks: [upstream.name] } }];
        const { key, model } = await makeWorld(gateway, t, { channels });
        for (const client of clientsOf({ address: gateway.address, key })) {
          const answer = await client.ask({ question: QUESTION, model, stream });
          assert.equal(answer.error, undefined, answer.error?.message);
          assert.equal(answer.reasoning, 'I weigh it.', client.name);
          const given = answer.calls.map((call) => ({ name: call.name, arguments: call.arguments }));
          assert.deepEqual(given, [{ name: 'get_weather', arguments: { city: 'Rome' } }]);
          await client.ask({ question: { ...QUESTION, after: { answer, results: ['Sunny'] } }, model, stream });
          const sent = JSON.parse(recorder.calls.at(-1)?.body ?? '') as { input?: SentItem[] };
          const signatures = sent.input?.filter((item) => item.type === 'reasoning') ?? [];
          if (upstream.sealed)
            assert.deepEqual(
              signatures.map(({ encrypted_content: signature }) => signature),
              ['c2VhbGVk'],
              client.name,
            );
        }
      });
});

interface SentItem {
  type?: string;
  encrypted_content?: string;
}
