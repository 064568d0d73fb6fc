// Custom tools on the paths of chat and responses, with the vendor's own client library as the judge.
// https://platform.openai.com/docs/guides/function-calling#custom-tools
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import OpenAI, { BadRequestError } from 'openai';
import { startSandbox } from '../server.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());
const client = new OpenAI({ apiKey: 'sandbox', baseURL: sandbox.baseUrl('openai'), maxRetries: 0 });
const model = 'sandbox-chat';
const name = 'run_code';
const grammar = { definition: 'start: /[a-z ]+/', syntax: 'lark' as const };
const chatTool = { type: 'custom' as const, custom: { name, format: { type: 'grammar' as const, grammar } } };
const tool = { type: 'custom' as const, name, format: { type: 'grammar' as const, ...grammar } };

test('chat: a custom tool is called with a text, whole and streamed, and its answer is taken', async () => {
  const messages = [{ role: 'user' as const, content: 'run_code please' }];
  const request = { model, messages, tools: [chatTool] };
  const whole = await client.chat.completions.create(request);
  const streamed = await client.chat.completions.stream(request).finalChatCompletion();
  for (const { choices } of [whole, streamed]) {
    const call = choices[0]?.message.tool_calls?.[0];
    assert.ok(call?.type === 'custom');
    assert.deepEqual(call.custom, { name, input: 'sample input' });
    assert.equal(choices[0]?.finish_reason, 'tool_calls');
  }
  const message = whole.choices[0]?.message;
  assert.ok(message !== undefined);
  const answer = { role: 'tool' as const, tool_call_id: message.tool_calls?.[0]?.id ?? '', content: 'done' };
  const next = await client.chat.completions.create({ ...request, messages: [...messages, message, answer] });
  assert.match(next.choices[0]?.message.content ?? '', /^The tool answered: done/);
});

test('responses: a custom tool is called with a text, whole and streamed, and its answer is taken', async () => {
  const request = { model, input: 'run_code please', tools: [tool] };
  const whole = await client.responses.create(request);
  const [item] = whole.output;
  assert.ok(item?.type === 'custom_tool_call');
  assert.match(item.id ?? '', /^ctc_/);
  assert.deepEqual([item.name, item.input], [name, 'sample input']);
  assert.partialDeepStrictEqual(whole.tools, [tool]);

  const stream = client.responses.stream(request);
  const events = await Array.fromAsync(stream);
  const kinds = events.map(({ type }) => type);
  assert.deepEqual(
    kinds.filter((kind, index) => kind !== kinds[index - 1]),
    [
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.output_item.done',
      'response.completed',
    ],
  );
  const done = events.find((event) => event.type === 'response.custom_tool_call_input.done');
  assert.ok(done?.type === 'response.custom_tool_call_input.done');
  const deltas = events.map((event) => (event.type === 'response.custom_tool_call_input.delta' ? event.delta : ''));
  assert.deepEqual([done.input, deltas.join('')], ['sample input', 'sample input']);
  assert.partialDeepStrictEqual((await stream.finalResponse()).output[0], { type: item.type, input: 'sample input' });

  const output = { type: 'custom_tool_call_output' as const, call_id: item.call_id, output: 'done' };
  const user = { role: 'user' as const, content: 'run_code please' };
  for (const next of [
    await client.responses.create({ ...request, input: [user, item, output] }),
    await client.responses.create({ ...request, input: [output], previous_response_id: whole.id }),
  ])
    assert.match(next.output_text, /^The tool answered: done/);
});

test('functions and custom tools are distinguished, also where one is chosen', async () => {
  const parameters = { type: 'object', properties: {} };
  const other = { type: 'function' as const, name: 'look', parameters, strict: false };
  const tools = [tool, other];
  const both = await client.responses.create({ model, input: 'look, then run_code', tools });
  assert.deepEqual(
    both.output.map(({ type }) => type),
    ['custom_tool_call', 'function_call'],
  );
  const chosen = await client.responses.create({ model, input: 'Hi', tools, tool_choice: { type: 'custom', name } });
  assert.equal(chosen.output[0]?.type, 'custom_tool_call');
  const chat = await client.chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [chatTool, { type: 'function', function: { name: 'look', parameters } }],
    tool_choice: { type: 'custom', custom: { name } },
  });
  assert.equal(chat.choices[0]?.message.tool_calls?.[0]?.type, 'custom');
});

const user = { role: 'user', content: 'Hi' };
const call = { type: 'custom_tool_call', call_id: 'c', name, input: '' };
const refusals: [object, string][] = [
  [{ input: [user, { type: 'custom_tool_call', call_id: 'c', name }] }, 'input[1].input'],
  [{ input: [user, { ...call, call_id: 'c'.repeat(65) }] }, 'input[1].call_id'],
  [{ input: [user, call] }, 'input'],
  [{ input: [user, call, { type: 'function_call_output', call_id: 'c', output: '' }] }, 'input'],
  [{ input: [user, call, { type: 'custom_tool_call_output', call_id: 'c' }] }, 'input[2].output'],
  [{ input: 'Hi', tools: [{ type: 'custom' }] }, 'tools[0].name'],
  [{ input: 'Hi', tools: [{ ...tool, format: { type: 'grammar', syntax: 'lark' } }] }, 'tools[0].format.definition'],
  [{ input: 'Hi', tools: [{ ...tool, format: { ...tool.format, syntax: 'ebnf' } }] }, 'tools[0].format.syntax'],
  [{ input: 'Hi', tools: [tool], tool_choice: { type: 'function', name } }, 'tool_choice'],
  [{ messages: [user], tools: [{ type: 'custom' }] }, 'tools[0].custom'],
  [{ messages: [user], tools: [{ type: 'custom', custom: {} }] }, 'tools[0].custom.name'],
];
for (const [fields, param] of refusals)
  test(`400 on ${param} for ${JSON.stringify(fields)}`, async () => {
    const path = 'input' in fields ? '/responses' : '/chat/completions';
    await assert.rejects(client.post(path, { body: { model, ...fields } }), (error) => {
      assert.ok(error instanceof BadRequestError);
      assert.equal(error.param, param);
      return true;
    });
  });
