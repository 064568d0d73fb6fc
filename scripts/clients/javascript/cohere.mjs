// The package cohere-ai: chat, embed and rerank of version 2.
import { CohereClientV2, CohereError } from 'cohere-ai';
import { CHAT, check, expect, PICTURE, raises, TOKEN, URL_OF_GATEWAY, versionOf, WEATHER } from './checks.mjs';

versionOf('cohere-ai');
const clientOf = (token) => new CohereClientV2({ token, environment: URL_OF_GATEWAY, maxRetries: 0 });
const client = clientOf(TOKEN);
const ask = (content, more = {}) => ({ model: CHAT, messages: [{ role: 'user', content }], ...more });
const textOf = ({ message }) => message.content.map(({ text = '' }) => text).join('');

await check('prompt', async () => {
  expect(textOf(await client.chat(ask('Hello'))).includes('You said: Hello'), 'no text');
  const { embeddings } = await client.embed({ model: 'sandbox-embedding', inputType: 'search_query', texts: ['a'] });
  expect(embeddings.float.length === 1, 'no vector');
  const { results } = await client.rerank({ model: 'sandbox-rerank', query: 'a', documents: ['a', 'b'] });
  expect(results.length === 2, results);
});
await check('stream', async () => {
  let text = '';
  for await (const event of await client.chatStream(ask('Hello')))
    if (event.type === 'content-delta') text += event.delta?.message?.content?.text ?? '';
  expect(text.includes('You said: Hello'), text);
});
await check('tools', async () => {
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: WEATHER } }];
  const question = ask('get_weather now', { tools });
  const { message } = await client.chat(question);
  const result = { role: 'tool', toolCallId: message.toolCalls[0].id, content: 'rain' };
  const messages = [...question.messages, { role: 'assistant', toolCalls: message.toolCalls }, result];
  expect(textOf(await client.chat({ ...question, messages })).includes('rain'), 'no rain');
});
await check('schema', async () => {
  const responseFormat = { type: 'json_object', jsonSchema: WEATHER };
  expect(typeof JSON.parse(textOf(await client.chat(ask('As JSON', { responseFormat })))).city === 'string', 'no city');
});
await check('images', async () => {
  expect(textOf(await client.chat(ask([{ type: 'image_url', imageUrl: { url: PICTURE } }]))) !== '', 'no answer');
});
await check('files', async () => {
  expect(textOf(await client.chat(ask('Hello', { documents: ['Buy milk'] }))) !== '', 'no answer');
  return 'documents in the request are passed as text; datasets are not served';
});
await check('errors', async () => {
  const isStatus = (status) => (error) => error instanceof CohereError && error.statusCode === status;
  await raises(isStatus(404), () => client.chat(ask('Hello', { model: 'nobody' })));
  await raises(isStatus(401), () => clientOf('sk-wrong').chat(ask('Hello')));
});
