// The ai SDK with its three providers.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import {
  CHAT,
  check,
  expect,
  GENERATE,
  MESSAGES,
  PNG,
  raises,
  TOKEN,
  URL_OF_GATEWAY,
  versionOf,
  WEATHER,
} from './checks.mjs';

versionOf('ai');
const openai = createOpenAI({ apiKey: TOKEN, baseURL: `${URL_OF_GATEWAY}/v1` });
const anthropic = createAnthropic({ apiKey: TOKEN, baseURL: `${URL_OF_GATEWAY}/v1` });
const google = createGoogleGenerativeAI({ apiKey: TOKEN, baseURL: `${URL_OF_GATEWAY}/v1beta` });
const models = {
  responses: openai(CHAT),
  chat: openai.chat(CHAT),
  messages: anthropic(MESSAGES),
  'generate-content': google(GENERATE),
};
const schema = jsonSchema({ ...WEATHER, additionalProperties: false });
const each = async (run) => {
  for (const [name, model] of Object.entries(models)) expect(await run({ model, maxRetries: 0 }), name);
};

await check('prompt', () =>
  each(async (ask) => (await generateText({ ...ask, prompt: 'Hello' })).text.includes('You said: Hello')),
);
await check('stream', () =>
  each(async (ask) => (await streamText({ ...ask, prompt: 'Hello' }).text).includes('You said: Hello')),
);
await check('tools', () =>
  each(async (ask) => {
    const get_weather = tool({ inputSchema: schema, execute: ({ city }) => `rain in ${city}` });
    const stopWhen = stepCountIs(3);
    const { text } = await generateText({ ...ask, prompt: 'get_weather now', tools: { get_weather }, stopWhen });
    return text.includes('rain');
  }),
);
await check('schema', () =>
  each(async (ask) => {
    const { output } = await generateText({ ...ask, prompt: 'As JSON', output: Output.object({ schema }) });
    return typeof output.city === 'string';
  }),
);
await check('images', () =>
  each(async (ask) => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'file', mediaType: 'image/png', data: Buffer.from(PNG, 'base64') },
    ];
    return (await generateText({ ...ask, messages: [{ role: 'user', content }] })).text !== '';
  }),
);
await check('errors', () =>
  raises(
    (error) => error.statusCode === 404,
    () => generateText({ model: openai.chat('nobody'), prompt: 'Hello', maxRetries: 0 }),
  ),
);
