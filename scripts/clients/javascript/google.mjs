// The package @google/genai: generate-content and interactions.
import { ApiError, GoogleGenAI } from '@google/genai';
import { check, expect, GENERATE, PNG, raises, TOKEN, URL_OF_GATEWAY, versionOf, WEATHER } from './checks.mjs';

versionOf('@google/genai');
const clientOf = (apiKey) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: URL_OF_GATEWAY } });
const client = clientOf(TOKEN);
const ask = (contents, config) => ({ model: GENERATE, contents, ...(config && { config }) });

await check('prompt', async () => {
  expect((await client.models.generateContent(ask('Hello'))).text.includes('You said: Hello'), 'no text');
  const { output_text } = await client.interactions.create({ model: GENERATE, input: 'Hello' });
  expect(output_text.includes('You said: Hello'), 'interactions');
});
await check('stream', async () => {
  let text = '';
  for await (const piece of await client.models.generateContentStream(ask('Hello'))) text += piece.text ?? '';
  expect(text.includes('You said: Hello'), text);
});
await check('tools', async () => {
  const tools = [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: WEATHER }] }];
  const question = { role: 'user', parts: [{ text: 'get_weather now' }] };
  const answered = await client.models.generateContent(ask([question], { tools }));
  const [call] = answered.functionCalls;
  const result = { functionResponse: { ...(call.id && { id: call.id }), name: call.name, response: { sky: 'rain' } } };
  const contents = [question, answered.candidates[0].content, { role: 'user', parts: [result] }];
  expect((await client.models.generateContent(ask(contents, { tools }))).text.includes('rain'), 'no rain');
});
await check('schema', async () => {
  const config = { responseMimeType: 'application/json', responseJsonSchema: WEATHER };
  expect(
    typeof JSON.parse((await client.models.generateContent(ask('As JSON', config))).text).city === 'string',
    'none',
  );
});
await check('images', async () => {
  const parts = [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: PNG } }];
  expect((await client.models.generateContent(ask([{ role: 'user', parts }]))).text !== '', 'no answer');
});
await check('files', async () => {
  const inlineData = { mimeType: 'text/plain', data: Buffer.from('Buy milk').toString('base64') };
  expect(
    (await client.models.generateContent(ask([{ role: 'user', parts: [{ inlineData }, { text: 'Hello' }] }]))).text,
    'none',
  );
  return 'files in the request work; client.files is not served: files are uploaded at /v1/files of OpenAI';
});
await check('errors', async () => {
  await raises(
    (error) => error instanceof ApiError && error.status === 404,
    () => client.models.generateContent({ model: 'nobody', contents: 'Hello' }),
  );
  await raises(
    (error) => error instanceof ApiError && error.status === 401,
    () => clientOf('sk-wrong').models.generateContent(ask('Hello')),
  );
});
