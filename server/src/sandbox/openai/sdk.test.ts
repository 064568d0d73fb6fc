// The vendor's own client library is the judge of what the protocol is.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import OpenAI, {
  APIConnectionError,
  AuthenticationError,
  InternalServerError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai';
import { startSandbox } from '../server.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());
const clientFor = (directive?: string): OpenAI =>
  new OpenAI({ apiKey: 'sandbox', baseURL: sandbox.baseUrl('openai', directive), maxRetries: 0 });
const client = clientFor();
const model = 'sandbox-chat';
const weather = {
  type: 'function' as const,
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};

test('a chat and a model list', async () => {
  const completion = await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] });
  assert.match(completion.choices[0]?.message.content ?? '', /^You said: Hello/);
  assert.ok((completion.usage?.total_tokens ?? 0) > 0);
  const names = (await client.models.list()).data.map(({ id }) => id);
  assert.ok(names.includes(model));
});

test('a stream with usage', async () => {
  const stream = client.chat.completions.stream({
    model,
    messages: [{ role: 'user', content: 'Hello' }],
    stream_options: { include_usage: true },
  });
  assert.match(await stream.finalContent().then(String), /^You said: Hello/);
  assert.ok((await stream.totalUsage()).completion_tokens > 0);
});

test('tool calls, whole and streamed, survive the library’s own reassembly', async () => {
  const request = { model, messages: [{ role: 'user' as const, content: 'get_weather now' }], tools: [weather] };
  const whole = await client.chat.completions.create(request);
  const streamed = await client.chat.completions.stream(request).finalChatCompletion();
  for (const { choices } of [whole, streamed]) {
    const call = choices[0]?.message.tool_calls?.[0];
    assert.ok(call?.type === 'function');
    assert.equal(call.function.name, 'get_weather');
    assert.deepEqual(JSON.parse(call.function.arguments), { city: 'sample city' });
    assert.equal(choices[0]?.finish_reason, 'tool_calls');
  }
});

test('a stream in tiny pieces with CRLF, compressed, reads the same', async () => {
  const stream = clientFor('split,crlf,gzip').chat.completions.stream({
    model,
    messages: [{ role: 'user', content: 'Hello' }],
  });
  assert.match(await stream.finalContent().then(String), /Zoë met a naïve 猫 in the café 🙂/);
});

test('errors arrive as the library’s own classes', async () => {
  const ask = (directive: string) =>
    clientFor(directive).chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] });
  await assert.rejects(ask('rate-limited-2'), RateLimitError);
  await assert.rejects(ask('unauthorised'), AuthenticationError);
  await assert.rejects(ask('forbidden'), PermissionDeniedError);
  await assert.rejects(ask('fail-503'), InternalServerError);
  await assert.rejects(ask('reset'), APIConnectionError);
});
