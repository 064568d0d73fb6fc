// The openai package: chat, responses, files.
import OpenAI, { toFile } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { CHAT, check, expect, PICTURE, raises, TOKEN, URL_OF_GATEWAY, versionOf, WEATHER } from './checks.mjs';

versionOf('openai');
const clientOf = (apiKey) => new OpenAI({ apiKey, baseURL: `${URL_OF_GATEWAY}/v1`, maxRetries: 0 });
const client = clientOf(TOKEN);
const ask = (content, more = {}) => ({ model: CHAT, messages: [{ role: 'user', content }], ...more });

await check('prompt', async () => {
  const { choices } = await client.chat.completions.create(ask('Hello'));
  expect(choices[0].message.content.includes('You said: Hello'), choices);
  expect((await client.responses.create({ model: CHAT, input: 'Hello' })).output_text.includes('Hello'), 'responses');
});
await check('stream', async () => {
  const text = await client.chat.completions.stream(ask('Hello')).finalContent();
  expect(text.includes('You said: Hello'), text);
  const { output_text } = await client.responses.stream({ model: CHAT, input: 'Hello' }).finalResponse();
  expect(output_text.includes('You said: Hello'), output_text);
});
await check('tools', async () => {
  const run = (args) => `rain in ${args.city}`;
  const tool = {
    type: 'function',
    function: { name: 'get_weather', parameters: WEATHER, function: run, parse: JSON.parse },
  };
  const text = await client.chat.completions.runTools(ask('get_weather now', { tools: [tool] })).finalContent();
  expect(text.includes('rain'), text);
});
await check('schema', async () => {
  const response_format = zodResponseFormat(z.object({ city: z.string() }), 'city');
  const { choices } = await client.chat.completions.parse(ask('As JSON', { response_format }));
  expect(typeof choices[0].message.parsed.city === 'string', choices);
});
await check('images', async () => {
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: PICTURE } },
  ];
  expect((await client.chat.completions.create(ask(content))).choices.length === 1, 'no answer');
});
await check('files', async () => {
  const file = await client.files.create({
    file: await toFile(Buffer.from('Buy milk'), 'notes.txt'),
    purpose: 'user_data',
  });
  expect((await (await client.files.content(file.id)).text()) === 'Buy milk', 'content');
  expect((await client.files.delete(file.id)).deleted, 'not deleted');
});
await check('errors', async () => {
  await raises(
    (error) => error instanceof OpenAI.NotFoundError && error.code === 'model_not_found',
    () => client.chat.completions.create(ask('Hello', { model: 'nobody' })),
  );
  await raises(
    (error) => error instanceof OpenAI.AuthenticationError,
    () => clientOf('sk-wrong').chat.completions.create(ask('Hello')),
  );
});
