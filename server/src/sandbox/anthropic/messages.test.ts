import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSandbox } from '../server.ts';
import { askMessages, assemble, messagesBody, say, stream } from './test-messages.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const tool = (name: string, more: object = {}) => ({
  name,
  description: 'x',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  ...more,
});
const tools = [tool('get_time'), tool('get_weather')];
const thinking = { type: 'enabled', budget_tokens: 1024 };

test('the same question gets the same words and counts under another id', async () => {
  const [one, two] = [await say(sandbox, messagesBody('Hello')), await say(sandbox, messagesBody('Hello'))];
  assert.match(one.id, /^msg_\w+$/);
  assert.notEqual(one.id, two.id);
  assert.deepEqual([one.content, one.usage, one.stop_reason], [two.content, two.usage, 'end_turn']);
  assert.match(String(one.content[0]?.['text']), /^You said: Hello/);
  assert.partialDeepStrictEqual(one, { type: 'message', role: 'assistant', model: 'sandbox-messages' });
});

test('a stream has the real events in the real order and says what the whole answer says', async () => {
  const whole = await say(sandbox, messagesBody('Hello'));
  const events = await stream(sandbox, messagesBody('Hello'));
  const names = events.map(({ event }) => event);
  assert.deepEqual(names.slice(0, 4), ['message_start', 'content_block_start', 'ping', 'content_block_delta']);
  assert.deepEqual(names.slice(-3), ['content_block_stop', 'message_delta', 'message_stop']);
  const { blocks, delta } = assemble(events);
  assert.deepEqual(blocks, whole.content);
  assert.deepEqual(delta, { stop_reason: 'end_turn', stop_sequence: null, stop_details: null, container: null });
  const start = events[0]?.data['message'] as { usage: Record<string, number>; content: unknown[] };
  assert.deepEqual(start.content, []);
  assert.equal(start.usage['input_tokens'], whole.usage['input_tokens']);
  assert.equal(start.usage['output_tokens'], 1);
  const end = events.at(-2)?.data['usage'] as Record<string, number>;
  assert.equal(end['output_tokens'], whole.usage['output_tokens']);
  assert.equal(names.filter((name) => name === 'content_block_delta').length, end['output_tokens']);
});

test('max_tokens and stop_sequences end the answer, and say so', async () => {
  const short = await say(sandbox, messagesBody('Hello', { max_tokens: 3 }));
  assert.deepEqual([short.stop_reason, short.usage['output_tokens']], ['max_tokens', 3]);
  const stopped = await say(sandbox, messagesBody('Hello', { stop_sequences: ['never', ': Hello'] }));
  assert.deepEqual([stopped.stop_reason, stopped.stop_sequence], ['stop_sequence', ': Hello']);
  assert.equal(stopped.content[0]?.['text'], 'You said');
});

test('one tool or several are called, announced in words unless the call was forced', async () => {
  const named = async (text: string, more = {}) => {
    const { content } = await say(sandbox, messagesBody(text, { tools, ...more }));
    return content.map((block) => block['name'] ?? block.type);
  };
  assert.deepEqual(await named('hello'), ['text']);
  assert.deepEqual(await named('What is the weather?'), ['text', 'get_weather']);
  assert.deepEqual(await named('get_time and get_weather'), ['text', 'get_time', 'get_weather']);
  const single = { tool_choice: { type: 'auto', disable_parallel_tool_use: true } };
  assert.deepEqual(await named('get_time and get_weather', single), ['text', 'get_time']);
  assert.deepEqual(await named('hello', { tool_choice: { type: 'any' } }), ['get_time']);
  assert.deepEqual(await named('hello', { tool_choice: { type: 'tool', name: 'get_weather' } }), ['get_weather']);
  assert.deepEqual(await named('weather', { tool_choice: { type: 'none' } }), ['text']);
});

test('calls arrive whole and streamed alike, and the answer to their results is in words', async () => {
  const body = messagesBody('get_time and get_weather', { tools });
  const whole = await say(sandbox, body);
  assert.equal(whole.stop_reason, 'tool_use');
  const calls = whole.content.filter(({ type }) => type === 'tool_use');
  assert.deepEqual(calls[1]?.['input'], { city: 'sample city' });
  assert.match(String(calls[0]?.['id']), /^toolu_\w+$/);
  assert.notEqual(calls[0]?.['id'], calls[1]?.['id']);
  const { blocks, delta } = assemble(await stream(sandbox, body));
  const withoutIds = (list: object[]) => list.map((block) => ({ ...block, id: 0 }));
  assert.deepEqual(withoutIds(blocks), withoutIds(whole.content));
  assert.equal(delta['stop_reason'], 'tool_use');
  const results = calls.map(({ id }, index) => ({ type: 'tool_result', tool_use_id: id, content: `sunny ${index}` }));
  const messages = [
    { role: 'user', content: 'get_time and get_weather' },
    { role: 'assistant', content: whole.content },
    { role: 'user', content: [...results, { type: 'text', text: 'and now?' }] },
  ];
  const after = await say(sandbox, messagesBody('', { tools, messages }));
  assert.match(String(after.content[0]?.['text']), /^The tool answered: sunny 0\nsunny 1/);
});

test('a call that max_tokens cuts off has no input, and half of its JSON in a stream', async () => {
  const body = messagesBody('hi', { tools, tool_choice: { type: 'any' }, max_tokens: 5 });
  const whole = await say(sandbox, body);
  assert.deepEqual([whole.stop_reason, whole.content[0]?.['input']], ['max_tokens', {}]);
  const events = await stream(sandbox, body);
  assert.throws(() => assemble(events), SyntaxError);
});

test('thinking comes first, with a signature that is recognised when handed back', async () => {
  const whole = await say(sandbox, messagesBody('weather', { tools, thinking }));
  assert.deepEqual(
    whole.content.map(({ type }) => type),
    ['thinking', 'text', 'tool_use'],
  );
  const [thought] = whole.content;
  assert.ok(thought);
  assert.ok((whole.usage['output_tokens_details'] as { thinking_tokens: number }).thinking_tokens > 5);
  const { blocks } = assemble(await stream(sandbox, messagesBody('weather', { tools, thinking })));
  assert.deepEqual(blocks[0], thought);
  const result = { type: 'tool_result', tool_use_id: whole.content[2]?.['id'], content: 'rain' };
  const loop = (content: unknown) =>
    askMessages(
      sandbox,
      messagesBody('', {
        tools,
        thinking,
        messages: [
          { role: 'user', content: 'weather' },
          { role: 'assistant', content },
          { role: 'user', content: [result] },
        ],
      }),
    );
  assert.equal((await loop(whole.content)).status, 200);
  assert.match((await loop(whole.content.slice(1))).text, /messages\.1\.content\.0\.type: Expected `thinking`/);
  const forged = [{ ...thought, signature: 'Zm9yZ2Vk' }, ...whole.content.slice(1)];
  assert.match((await loop(forged)).text, /messages\.1\.content\.0: Invalid `signature` in `thinking` block/);
});

test('adaptive thinking, effort and omitted thoughts are understood; reasoning-N thinks without being asked', async () => {
  const more = { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'max' } };
  const adaptive = await say(sandbox, messagesBody('hi', more));
  assert.equal(adaptive.content[0]?.['thinking'], '');
  assert.ok(String(adaptive.content[0]?.['signature']).length > 40);
  const reported = await say(sandbox, messagesBody('hi [[reasoning 7]]'));
  assert.equal(String(reported.content[0]?.['thinking']).split(' ').length, 7);
  const plain = await say(sandbox, messagesBody('hi'));
  assert.equal(reported.usage['output_tokens'], Number(plain.usage['output_tokens']) + 7);
});

test('structured output fits the schema, under either name of the field', async () => {
  const schema = {
    type: 'object',
    properties: { age: { type: 'integer' }, tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } },
    required: ['age', 'tags'],
    additionalProperties: false,
  };
  const format = { type: 'json_schema', schema };
  for (const more of [{ output_config: { format } }, { output_format: format }]) {
    const { content } = await say(sandbox, messagesBody('hi', more));
    assert.deepEqual(JSON.parse(String(content[0]?.['text'])), { age: 1, tags: ['a'] });
  }
});

test('cached input stands apart from the rest of the input', async () => {
  const plain = await say(sandbox, messagesBody('one two three four'));
  const body = messagesBody('', {
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'one two three four', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      },
    ],
  });
  const { usage } = await say(sandbox, body, { directive: 'cached-3,cache-write-2' });
  assert.partialDeepStrictEqual(usage, {
    input_tokens: Number(plain.usage['input_tokens']) - 5,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 2,
    cache_creation: { ephemeral_1h_input_tokens: 2, ephemeral_5m_input_tokens: 0 },
  });
});

test('a refusal ends the answer; a blocked prompt gets none', async () => {
  const refused = await say(sandbox, messagesBody('hi [[refusal]]'));
  assert.deepEqual([refused.stop_reason, refused.usage['output_tokens']], ['refusal', 3]);
  const blocked = await say(sandbox, messagesBody('hi [[blocked]]'));
  assert.deepEqual([blocked.stop_reason, blocked.content], ['refusal', []]);
  const events = await stream(sandbox, messagesBody('hi [[blocked]]'));
  assert.deepEqual(
    events.map(({ event }) => event),
    ['message_start', 'ping', 'message_delta', 'message_stop'],
  );
});

test('count_tokens counts what the message is charged for, media and tools included', async () => {
  const count = async (body: object) =>
    (
      JSON.parse((await askMessages(sandbox, body, { path: '/v1/messages/count_tokens' })).text) as {
        input_tokens: number;
      }
    ).input_tokens;
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } };
  const body = messagesBody('', {
    system: 'Be brief.',
    tools,
    messages: [{ role: 'user', content: [image, { type: 'text', text: 'What?' }] }],
  });
  const { max_tokens: _, ...countBody } = body;
  assert.equal(await count(countBody), (await say(sandbox, body)).usage['input_tokens']);
});

test('models are listed by page, and found by name', async () => {
  const get = async (path: string) => askMessages(sandbox, {}, { method: 'GET', path });
  const list = JSON.parse((await get('/v1/models?limit=2')).text) as { data: { id: string }[]; has_more: boolean };
  assert.deepEqual([list.data.length, list.has_more, list.data[0]?.id], [2, true, 'sandbox-messages']);
  assert.match((await get(`/v1/models?limit=1&after_id=sandbox-messages`)).text, /"id":"claude-/);
  assert.equal((await get('/v1/models/sandbox-x')).status, 200);
  assert.equal((await get('/v1/models/gpt-4o')).status, 404);
});
