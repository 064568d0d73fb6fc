// The package @anthropic-ai/sdk: messages.
import Anthropic from '@anthropic-ai/sdk';
import { check, expect, MESSAGES, PNG, raises, TOKEN, URL_OF_GATEWAY, versionOf, WEATHER } from './checks.mjs';

versionOf('@anthropic-ai/sdk');
const clientOf = (apiKey) => new Anthropic({ apiKey, baseURL: URL_OF_GATEWAY, maxRetries: 0 });
const client = clientOf(TOKEN);
const ask = (content, more = {}) => ({
  model: MESSAGES,
  max_tokens: 500,
  messages: [{ role: 'user', content }],
  ...more,
});

await check('prompt', async () => {
  const { content } = await client.messages.create(ask('Hello'));
  expect(content[0].text.includes('You said: Hello'), content);
});
await check('stream', async () => {
  expect((await client.messages.stream(ask('Hello')).finalText()).includes('You said: Hello'), 'no text');
});
await check('tools', async () => {
  const tools = [{ name: 'get_weather', input_schema: WEATHER }];
  const question = ask('get_weather now', { tools });
  const answered = await client.messages.create(question);
  const call = answered.content.find(({ type }) => type === 'tool_use');
  const result = { type: 'tool_result', tool_use_id: call.id, content: 'rain' };
  const messages = [
    ...question.messages,
    { role: 'assistant', content: answered.content },
    { role: 'user', content: [result] },
  ];
  const { content } = await client.messages.create({ ...question, messages });
  expect(content[0].text.includes('rain'), content);
});
await check('schema', async () => {
  const output_config = { format: { type: 'json_schema', schema: { ...WEATHER, additionalProperties: false } } };
  const { content } = await client.messages.create(ask('As JSON', { output_config }));
  expect(typeof JSON.parse(content[0].text).city === 'string', content);
});
await check('images', async () => {
  const source = { type: 'base64', media_type: 'image/png', data: PNG };
  expect((await client.messages.create(ask([{ type: 'image', source }]))).content.length === 1, 'no answer');
});
await check('files', async () => {
  const source = { type: 'text', media_type: 'text/plain', data: 'Buy milk' };
  expect(
    (
      await client.messages.create(
        ask([
          { type: 'document', source },
          { type: 'text', text: 'Hello' },
        ]),
      )
    ).content.length,
    'none',
  );
  return 'documents in the request work; beta.files is not served: files are uploaded at /v1/files of OpenAI';
});
await check('errors', async () => {
  await raises(
    (error) => error instanceof Anthropic.NotFoundError,
    () => client.messages.create(ask('Hello', { model: 'nobody' })),
  );
  await raises(
    (error) => error instanceof Anthropic.AuthenticationError,
    () => clientOf('sk-wrong').messages.create(ask('Hello')),
  );
});
