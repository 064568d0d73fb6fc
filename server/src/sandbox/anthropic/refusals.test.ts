// What the real service refuses, and in which words.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSandbox } from '../server.ts';
import { readTypedEvents } from '../test-client.ts';
import { askMessages, messagesBody, stream } from './test-messages.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const user = { role: 'user', content: 'hi' };
const called = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'x', input: {} }] };
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'y' };
const answered = { role: 'user', content: [result] };
const schema = { type: 'object' };
const thinking = { type: 'enabled', budget_tokens: 1024 };
const block = (content: object) => ({ messages: [{ role: 'user', content: [content] }] });
const image = (source: object) => block({ type: 'image', source });
const cached = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };

const refusals: [string, object, string][] = [
  ['max_tokens is absent', { max_tokens: undefined }, 'max_tokens: Field required'],
  ['max_tokens is 0', { max_tokens: 0 }, 'max_tokens: Input should be greater than or equal to 1'],
  ['a field is unknown', { frequency_penalty: 1 }, 'frequency_penalty: Extra inputs are not permitted'],
  ['a beta field comes without its header', { mcp_servers: [] }, 'mcp_servers: Extra inputs are not permitted'],
  ['a field is null', { temperature: null }, 'temperature: Input should be a valid number'],
  ['temperature is above 1', { temperature: 1.5 }, 'temperature: range: 0..1'],
  ['there are no messages', { messages: [] }, 'messages: at least one message is required'],
  ['the first message is not the user’s', { messages: [called] }, 'messages: first message must use the "user" role'],
  ['a role is system', { messages: [{ role: 'system', content: 'x' }] }, 'messages: Unexpected role "system"'],
  [
    'a role is unknown',
    { messages: [{ role: 'tool', content: 'x' }] },
    "messages.0.role: Input should be 'user' or 'assistant'",
  ],
  [
    'content is empty',
    { messages: [{ role: 'user', content: '' }] },
    'messages.0: all messages must have non-empty content',
  ],
  ['a text is empty', block({ type: 'text', text: '' }), 'messages: text content blocks must be non-empty'],
  ['a message has a name', { messages: [{ ...user, name: 'x' }] }, 'messages.0.name: Extra inputs are not permitted'],
  [
    'a block is unknown',
    block({ type: 'image_url' }),
    "messages.0.content.0: Input tag 'image_url' found using 'type'",
  ],
  ['a text has no text', block({ type: 'text' }), 'messages.0.content.0.text.text: Field required'],
  [
    'an image is no base64',
    image({ type: 'base64', media_type: 'image/png', data: 'data:x' }),
    'messages.0.content.0.image.source.base64.data: Input should be valid base64',
  ],
  [
    'an image has another type',
    image({ type: 'base64', media_type: 'image/tiff', data: 'AAAA' }),
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  ],
  [
    'an image’s address is not https',
    image({ type: 'url', url: 'http://x/y.png' }),
    'messages.0.content.0.image.source.url.url: String should match',
  ],
  [
    'a user sends a call',
    { messages: [{ role: 'user', content: called.content }] },
    'messages.0.content.0: `tool_use` blocks can only be in `assistant` messages',
  ],
  [
    'a call is not answered',
    { messages: [user, called, user] },
    'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
  ],
  [
    'a call is not answered first',
    { messages: [user, called, { role: 'user', content: [{ type: 'text', text: 'x' }, result] }] },
    'messages.1: `tool_use` ids were found',
  ],
  ['a call is the last word', { messages: [user, called] }, 'messages.1: `tool_use` ids were found'],
  [
    'a result answers no call',
    { messages: [answered] },
    'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1.',
  ],
  [
    'a call is answered twice',
    { messages: [user, called, { role: 'user', content: [result, result] }] },
    'messages.2.content.1: each tool_use must have a single result.',
  ],
  [
    'an id is used twice',
    { messages: [user, called, answered, called, answered] },
    'messages: `tool_use` ids must be unique',
  ],
  [
    'a tool’s name has a space',
    { tools: [{ name: 'a b', input_schema: schema }] },
    'tools.0.custom.name: String should match pattern',
  ],
  ['a tool has no schema', { tools: [{ name: 'a' }] }, 'tools.0.custom.input_schema: Field required'],
  [
    'a tool’s schema has no type',
    { tools: [{ name: 'a', input_schema: {} }] },
    'tools.0.custom.input_schema.type: Field required',
  ],
  [
    'a tool is of the other protocol',
    { tools: [{ type: 'function', function: {} }] },
    "tools.0: Input tag 'function' found using 'type'",
  ],
  [
    'tools share a name',
    {
      tools: [
        { name: 'a', input_schema: schema },
        { name: 'a', input_schema: schema },
      ],
    },
    'tools: Tool names must be unique.',
  ],
  [
    'tool_choice is text',
    { tools: [{ name: 'a', input_schema: schema }], tool_choice: 'auto' },
    'tool_choice: Input should be a valid dictionary',
  ],
  [
    'tool_choice comes without tools',
    { tool_choice: { type: 'auto' } },
    'tool_choice: tool_choice may only be specified while providing tools',
  ],
  [
    'tool_choice names no tool',
    { tools: [{ name: 'a', input_schema: schema }], tool_choice: { type: 'tool', name: 'b' } },
    "Tool 'b' not found in provided tools",
  ],
  [
    'the budget is small',
    { thinking: { ...thinking, budget_tokens: 100 } },
    'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
  ],
  [
    'the budget is not below max_tokens',
    { thinking, max_tokens: 1024 },
    '`max_tokens` must be greater than `thinking.budget_tokens`.',
  ],
  [
    'thinking meets a temperature',
    { thinking, temperature: 0.5 },
    '`temperature` may only be set to 1 when thinking is enabled.',
  ],
  ['thinking meets top_k', { thinking, top_k: 5 }, '`top_k` must be unset when thinking is enabled.'],
  [
    'thinking meets a forced call',
    { thinking, tools: [{ name: 'a', input_schema: schema }], tool_choice: { type: 'any' } },
    'Thinking may not be enabled when tool_choice forces tool use.',
  ],
  [
    'effort is unknown',
    { output_config: { effort: 'huge' } },
    "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
  ],
  [
    'an answer’s schema is open',
    { output_config: { format: { type: 'json_schema', schema } } },
    "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
  ],
  [
    'a stop sequence is blank',
    { stop_sequences: [' '] },
    'stop_sequences: each stop sequence must contain non-whitespace',
  ],
  [
    'five blocks are to be cached',
    { messages: [{ role: 'user', content: Array.from({ length: 5 }, () => cached) }] },
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ],
  ['system is an object', { system: {} }, 'system: Input should be a valid list'],
];
for (const [when, fields, message] of refusals) {
  test(`400 invalid_request_error when ${when}`, async () => {
    const got = await askMessages(sandbox, messagesBody('hi', { ...fields }));
    assert.equal(got.status, 400, got.text);
    const body = JSON.parse(got.text) as { type: string; error: { type: string; message: string }; request_id: string };
    assert.deepEqual([body.type, body.error.type], ['error', 'invalid_request_error']);
    assert.ok(body.error.message.startsWith(message), body.error.message);
    assert.equal(body.request_id, got.headers['request-id']);
  });
}

test('what is right is accepted: documents, system blocks, several results, prefill, beta fields', async () => {
  const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' }, title: 'T' };
  const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } };
  const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } };
  const good: object[] = [
    block(document),
    block(pdf),
    block(png),
    { system: [cached] },
    { messages: [user, user, called, answered, user] },
    { messages: [user, { role: 'assistant', content: 'Well,' }] },
    { metadata: { user_id: 'u' }, top_p: 0.5, top_k: 3, temperature: 0, service_tier: 'auto' },
    { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }] },
  ];
  for (const fields of good) {
    const got = await askMessages(sandbox, messagesBody('hi', { ...fields }));
    assert.equal(got.status, 200, got.text);
  }
  const headers = { 'anthropic-beta': 'mcp-client-2025-04-04' };
  assert.equal((await askMessages(sandbox, messagesBody('hi', { mcp_servers: [] }), { headers })).status, 200);
});

test('key, version, model and path are judged in the protocol’s words', async () => {
  const ask = async (headers: Record<string, string>, more = {}) => {
    const got = await askMessages(sandbox, messagesBody('hi', more), { headers });
    const { error } = JSON.parse(got.text) as { error?: { type: string; message: string } };
    return [got.status, error?.type, error?.message];
  };
  assert.deepEqual(await ask({ 'x-api-key': '' }), [401, 'authentication_error', 'x-api-key header is required']);
  assert.deepEqual(await ask({ 'x-api-key': 'bad' }), [401, 'authentication_error', 'invalid x-api-key']);
  assert.equal((await ask({ 'x-api-key': '', authorization: 'Bearer sandbox' }))[0], 200);
  assert.deepEqual((await ask({ 'x-api-key': 'forbidden' })).slice(0, 2), [403, 'permission_error']);
  const version = await ask({ 'anthropic-version': '2020-01-01' });
  assert.deepEqual(version.slice(0, 2), [400, 'invalid_request_error']);
  assert.deepEqual(await ask({}, { model: 'gpt-4o' }), [404, 'not_found_error', 'model: gpt-4o']);
  const options = { provider: 'anthropic' as const, path: '/v1/messages', key: 'sandbox' };
  const { call } = await import('../test-client.ts');
  assert.match((await call(sandbox, messagesBody('hi'), options)).text, /anthropic-version: header is required/);
  assert.match((await askMessages(sandbox, {}, { path: '/v1/nothing' })).text, /not_found_error/);
});

test('chosen failures have the real statuses and types', async () => {
  for (const [directive, status, type] of [
    ['fail-413', 413, 'request_too_large'],
    ['rate-limited-7', 429, 'rate_limit_error'],
    ['fail-500', 500, 'api_error'],
    ['fail-529', 529, 'overloaded_error'],
  ] as const) {
    const got = await askMessages(sandbox, messagesBody('hi'), { directive });
    assert.equal(got.status, status);
    assert.equal((JSON.parse(got.text) as { error: { type: string } }).error.type, type);
    if (status === 429) assert.equal(got.headers['retry-after'], '7');
  }
});

test('a stream breaks before its first event, after some, in its JSON, or by the connection', async () => {
  const [only] = await stream(sandbox, messagesBody('[[error-event 0]]'));
  assert.deepEqual([only?.event, only?.data['type']], ['error', 'error']);
  const later = await stream(sandbox, messagesBody('[[error-event 2]]'));
  assert.deepEqual(
    later.map(({ event }) => event),
    ['message_start', 'content_block_start', 'ping', 'content_block_delta', 'content_block_delta', 'error'],
  );
  assert.partialDeepStrictEqual(later.at(-1)?.data, { error: { type: 'overloaded_error' } });
  const cut = await askMessages(sandbox, messagesBody('[[cut 2]]', { stream: true }));
  assert.ok(cut.broken && readTypedEvents(cut.text).length === 5);
  const truncated = await askMessages(sandbox, messagesBody('[[truncated 1]]', { stream: true }));
  assert.throws(() => readTypedEvents(truncated.text));
  const undone = await stream(sandbox, messagesBody('[[no-done]]'));
  assert.equal(undone.at(-1)?.event, 'message_delta');
  const split = await askMessages(sandbox, messagesBody('[[split]] [[crlf]]', { stream: true }));
  assert.ok(split.chunks.every((chunk) => chunk.length <= 7) && split.text.includes('naïve'));
});

test('usage can be absent or spoilt at both ends of a stream', async () => {
  const usages = async (directive: string) => {
    const events = await stream(sandbox, messagesBody('hi'), { directive });
    const start = events[0]?.data['message'] as { usage?: Record<string, unknown> };
    return [start.usage, events.at(-2)?.data['usage'] as Record<string, unknown> | undefined];
  };
  assert.deepEqual(await usages('no-usage'), [undefined, undefined]);
  for (const usage of await usages('usage-text')) assert.equal(typeof usage?.['output_tokens'], 'string');
});

test('the record shows what was received, without the key', async () => {
  const body = messagesBody('hi', { temperature: 0.5 });
  await askMessages(sandbox, body, { headers: { 'x-api-key': 'sk-very-secret' } });
  const record = sandbox.records.at(-1);
  assert.partialDeepStrictEqual(record, { path: '/anthropic/v1/messages', keyHint: 'cret', body });
  assert.equal(record?.headers['anthropic-version'], '2023-06-01');
  assert.ok(!JSON.stringify(record).includes('very-secret'));
});
