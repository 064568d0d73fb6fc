// LangChain with its three chat models.
import { ChatAnthropic } from '@langchain/anthropic';
import { tool } from '@langchain/core/tools';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import {
  CHAT,
  check,
  expect,
  GENERATE,
  MESSAGES,
  PICTURE,
  raises,
  TOKEN,
  URL_OF_GATEWAY,
  versionOf,
} from './checks.mjs';

versionOf('@langchain/core');
const openaiOf = (model) =>
  new ChatOpenAI({ model, apiKey: TOKEN, maxRetries: 0, configuration: { baseURL: `${URL_OF_GATEWAY}/v1` } });
const models = {
  openai: openaiOf(CHAT),
  anthropic: new ChatAnthropic({
    model: MESSAGES,
    apiKey: TOKEN,
    anthropicApiUrl: URL_OF_GATEWAY,
    maxRetries: 0,
    maxTokens: 500,
  }),
  google: new ChatGoogleGenerativeAI({ model: GENERATE, apiKey: TOKEN, baseUrl: URL_OF_GATEWAY, maxRetries: 0 }),
};
const textOf = ({ content }) =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
const each = async (run) => {
  for (const [name, model] of Object.entries(models)) expect(await run(model), name);
};
const get_weather = tool(({ city }) => `rain in ${city}`, {
  name: 'get_weather',
  description: 'Weather of a city',
  schema: z.object({ city: z.string() }),
});

await check('prompt', () => each(async (model) => textOf(await model.invoke('Hello')).includes('You said: Hello')));
await check('stream', () =>
  each(async (model) => {
    let text = '';
    for await (const piece of await model.stream('Hello')) text += textOf(piece);
    return text.includes('You said: Hello');
  }),
);
await check('tools', () =>
  each(async (model) => {
    const bound = model.bindTools([get_weather]);
    const messages = [{ role: 'user', content: 'get_weather now' }];
    const answered = await bound.invoke(messages);
    const result = await get_weather.invoke(answered.tool_calls[0]);
    return textOf(await bound.invoke([...messages, answered, result])).includes('rain');
  }),
);
await check('schema', () =>
  each(async (model) => {
    const { city } = await model.withStructuredOutput(z.object({ city: z.string() })).invoke('As JSON');
    return typeof city === 'string';
  }),
);
await check('images', async () => {
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: PICTURE } },
  ];
  for (const model of [models.openai, models.anthropic])
    expect(textOf(await model.invoke([{ role: 'user', content }])) !== '', 'no answer');
  return 'ChatGoogleGenerativeAI sends pictures only to models whose names begin as those of Gemini do';
});
await check('errors', () =>
  raises(
    () => true,
    () => openaiOf('nobody').invoke('Hello'),
  ),
);
