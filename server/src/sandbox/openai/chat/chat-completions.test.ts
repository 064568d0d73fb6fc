import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSandbox } from '../../server.ts';
import { call, chatBody, joinContent, readEvents } from '../../test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

type Completion = {
  id: string;
  choices: {
    message: { content: string | null; tool_calls?: { id: string; function: { name: string; arguments: string } }[] };
    finish_reason: string;
  }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
};

async function complete(text: string, more: Record<string, unknown> = {}): Promise<Completion> {
  const got = await call(sandbox, chatBody(text, more));
  assert.equal(got.status, 200, got.text);
  return JSON.parse(got.text) as Completion;
}

const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
});

test('the same question gets the same words and counts under another id', async () => {
  const [one, two] = [await complete('Hello'), await complete('Hello')];
  assert.match(one.id, /^chatcmpl-\w{29}$/);
  assert.notEqual(one.id, two.id);
  assert.deepEqual([one.choices, one.usage], [two.choices, two.usage]);
  assert.ok(one.choices[0]?.message.content?.startsWith('You said: Hello'));
  assert.equal(one.usage.total_tokens, one.usage.prompt_tokens + one.usage.completion_tokens);
});

test('a stream says the same as the whole answer, one token per chunk', async () => {
  const whole = await complete('Hello');
  const got = await call(sandbox, chatBody('Hello', { stream: true, stream_options: { include_usage: true } }));
  assert.equal(got.headers['content-type'], 'text/event-stream; charset=utf-8');
  const events = readEvents(got.text);
  assert.equal(joinContent(events), whole.choices[0]?.message.content);
  assert.equal(events.at(-1), null);
  assert.deepEqual(events.at(-2)?.choices, []);
  assert.deepEqual(events.at(-2)?.usage, whole.usage);
  assert.ok(events.slice(0, -2).every((event) => event?.usage === null));
  assert.equal(events.filter((event) => event?.choices[0]?.delta.content).length, whole.usage.completion_tokens);
  assert.equal(events[0]?.choices[0]?.delta.role, 'assistant');
});

test('usage stays out of a stream that did not ask for it', async () => {
  const events = readEvents((await call(sandbox, chatBody('Hello', { stream: true }))).text);
  assert.ok(events.every((event) => event === null || !('usage' in event)));
});

test('max_tokens, stop and n are honoured', async () => {
  for (const field of ['max_tokens', 'max_completion_tokens']) {
    const short = await complete('Hello', { [field]: 3 });
    assert.equal(short.choices[0]?.finish_reason, 'length');
    assert.equal(short.usage.completion_tokens, 3);
  }
  const stopped = await complete('Hello', { stop: ['never', ': Hello'] });
  assert.equal(stopped.choices[0]?.message.content, 'You said');
  assert.equal(stopped.choices[0]?.finish_reason, 'stop');
  const three = await complete('Hello', { n: 3, max_tokens: 5 });
  assert.equal(three.choices.length, 3);
  assert.equal(three.usage.completion_tokens, 15);
  const events = readEvents((await call(sandbox, chatBody('Hello', { n: 2, stream: true }))).text);
  assert.equal(events.filter((event) => event?.choices[0]?.finish_reason === 'stop').length, 2);
});

test('system messages and content parts are read', async () => {
  const content = [
    { type: 'text', text: 'part' },
    { type: 'image_url', image_url: { url: 'data:,' } },
  ];
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content },
  ];
  const { choices } = await complete('', { messages });
  assert.match(choices[0]?.message.content ?? '', /You said: part\. .*Be brief\./);
});

test('tools are called when named, forced, required or asked for; otherwise words', async () => {
  const tools = [tool('get_time'), tool('get_weather')];
  const called = async (text: string, more: object = {}) =>
    (await complete(text, { tools, ...more })).choices[0]?.message.tool_calls?.map((one) => one.function.name);
  assert.equal(await called('hello'), undefined);
  assert.deepEqual(await called('What is the weather?'), ['get_weather']);
  assert.deepEqual(await called('use the tool'), ['get_time']);
  assert.deepEqual(await called('get_time and get_weather please'), ['get_time', 'get_weather']);
  assert.deepEqual(await called('get_time and get_weather', { parallel_tool_calls: false }), ['get_time']);
  assert.deepEqual(await called('hello', { tool_choice: 'required' }), ['get_time']);
  const named = { type: 'function', function: { name: 'get_weather' } };
  assert.deepEqual(await called('hello', { tool_choice: named }), ['get_weather']);
  assert.equal(await called('weather', { tool_choice: 'none' }), undefined);
  const { choices } = await complete('weather', { tools });
  assert.equal(choices[0]?.finish_reason, 'tool_calls');
  assert.equal(choices[0]?.message.content, null);
  assert.deepEqual(JSON.parse(choices[0]?.message.tool_calls?.[0]?.function.arguments ?? ''), { city: 'sample city' });
  const cut = await complete('weather', { tools, max_tokens: 6 });
  assert.equal(cut.choices[0]?.finish_reason, 'length');
  assert.ok(cut.usage.completion_tokens <= 6);
});

test('the answer of a tool is answered in words', async () => {
  const calls = [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }];
  const messages = [
    { role: 'user', content: 'weather?' },
    { role: 'assistant', content: null, tool_calls: calls },
    { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
  ];
  const { choices } = await complete('', { messages, tools: [tool('get_weather')] });
  assert.match(choices[0]?.message.content ?? '', /The tool answered: sunny/);
});

test('response_format gives JSON, fitting the schema where there is one', async () => {
  const open = await complete('hi', { response_format: { type: 'json_object' } });
  assert.equal((JSON.parse(open.choices[0]?.message.content ?? '') as { sandbox: boolean }).sandbox, true);
  const schema = { type: 'object', properties: { age: { type: 'integer', minimum: 18 } }, required: ['age'] };
  const strict = await complete('hi', { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } });
  assert.deepEqual(JSON.parse(strict.choices[0]?.message.content ?? ''), { age: 18 });
});

const user = { role: 'user', content: 'hi' };
const refusals: [string, Record<string, unknown>, string][] = [
  ['messages is not an array', { messages: 'hi' }, 'messages'],
  ['messages is empty', { messages: [] }, 'messages'],
  ['a message is no object', { messages: ['hi'] }, 'messages[0]'],
  ['a message has no role', { messages: [{ content: 'hi' }] }, 'messages[0].role'],
  ['a role is unknown', { messages: [{ role: 'robot', content: 'hi' }] }, 'messages[0].role'],
  ['a user has no content', { messages: [{ role: 'user' }] }, 'messages[0].content'],
  ['a tool message has no id', { messages: [user, { role: 'tool', content: '' }] }, 'messages[1].tool_call_id'],
  [
    'a tool message answers no call',
    { messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] },
    'messages[0].role',
  ],
  ['temperature is text', { temperature: '1' }, 'temperature'],
  ['temperature is above 2', { temperature: 2.1 }, 'temperature'],
  ['temperature is below 0', { temperature: -0.1 }, 'temperature'],
  ['max_tokens is 0', { max_tokens: 0 }, 'max_tokens'],
  ['max_tokens is a fraction', { max_tokens: 1.5 }, 'max_tokens'],
  ['n is 0', { n: 0 }, 'n'],
  ['stream is text', { stream: 'true' }, 'stream'],
  ['stream_options come without stream', { stream_options: { include_usage: true } }, 'stream_options'],
  ['stop has five entries', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
  ['tools are empty', { tools: [] }, 'tools'],
  ['a tool has no name', { tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name'],
  ['tool_choice comes without tools', { tool_choice: 'auto' }, 'tool_choice'],
  ['response_format is unknown', { response_format: { type: 'xml' } }, 'response_format.type'],
  ['model is absent', { model: undefined }, 'model'],
];
for (const [when, fields, param] of refusals) {
  test(`400 in the protocol's shape when ${when}`, async () => {
    const got = await call(sandbox, chatBody('hi', fields));
    assert.equal(got.status, 400);
    const { error } = JSON.parse(got.text) as { error: Record<string, unknown> };
    assert.equal(error['type'], 'invalid_request_error');
    assert.equal(error['param'], param);
    assert.equal(typeof error['code'], 'string');
  });
}

test('a model that the sandbox does not have is 404 model_not_found', async () => {
  const got = await call(sandbox, chatBody('hi', { model: 'gpt-unknown' }));
  assert.equal(got.status, 404);
  assert.ok(got.text.includes('"code":"model_not_found"'));
});

test('null stands for absent, and unknown fields are accepted', async () => {
  await complete('hi', {
    temperature: null,
    max_tokens: null,
    stop: null,
    tools: null,
    stream: null,
    anything: { x: 1 },
  });
});
