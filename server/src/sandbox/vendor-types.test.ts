// Contract-2 7, "nothing half said", and the fidelity of the test bed: what the sandbox answers is what the vendors' published
// types say, whole, streamed and refused. docs/lab/vendor-types.md lists where those types are wrong.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { checkGiven } from '../testing/vendor-schemas/check-answer.ts';
import { makePng } from './media/png.ts';
import { sampleRate, speak } from './media/voice.ts';
import { writeWav } from './media/wav.ts';
import { startSandbox } from './server.ts';
import { call, type CallOptions, type FormEntry, type Got, writeForm } from './test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const keys: Record<string, Record<string, string>> = {
  openai: {},
  rerank: {},
  anthropic: { 'x-api-key': 'sandbox', 'anthropic-version': '2023-06-01' },
  gemini: { 'x-goog-api-key': 'sandbox' },
};
type Provider = 'openai' | 'rerank' | 'anthropic' | 'gemini';

async function check(provider: Provider, path: string, body?: object, options: CallOptions = {}): Promise<Got> {
  const method = options.method ?? (body === undefined ? 'GET' : 'POST');
  const got = await call(sandbox, body, { provider, path, headers: keys[provider] ?? {}, ...options, method });
  const { pathname } = new URL(sandbox.baseUrl(provider) + path);
  const contentType = String(got.headers['content-type']);
  checkGiven({ method, path: pathname, status: got.status, contentType, text: got.text });
  return got;
}

async function good(provider: Provider, path: string, body?: object, options: CallOptions = {}): Promise<Got> {
  const got = await check(provider, path, body, options);
  assert.equal(got.status, 200, got.text);
  return got;
}

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const schema = { ...parameters, additionalProperties: false };

describe('chat completions', () => {
  const ask = (content: string, more: object = {}) => ({
    model: 'sandbox-chat',
    messages: [{ role: 'user', content }],
    ...more,
  });
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
  const bodies: Record<string, object> = {
    text: ask('Hello'),
    'several choices': ask('Hello', { n: 2 }),
    tools: ask('use the tool', { tools }),
    'custom tools': ask('use the tool', { tools: [{ type: 'custom', custom: { name: 'run_code' } }] }),
    structured: ask('Hello', { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } }),
    'a limit': ask('Hello [[long 50]]', { max_tokens: 3 }),
    reasoning: ask('Hello [[reasoning 3]] [[cached 2]]'),
    'a served tier': ask('Hello [[served-priority]]'),
    'a malformed call': ask('use the tool [[malformed-call]]', { tools }),
    'web search': ask('Hello [[tool-uses 2]]', { web_search_options: {} }),
  };
  for (const [name, body] of Object.entries(bodies))
    test(name, async () => {
      await good('openai', '/chat/completions', body);
      await good('openai', '/chat/completions', { ...body, stream: true });
      await good('openai', '/chat/completions', { ...body, stream: true, stream_options: { include_usage: true } });
    });
  test('refusals', async () => {
    assert.equal((await check('openai', '/chat/completions', { model: 'sandbox-chat' })).status, 400);
    assert.equal((await check('openai', '/chat/completions', ask('Hello [[fail 500]]'))).status, 500);
    assert.equal((await check('openai', '/chat/completions', ask('Hello [[rate-limited]]'))).status, 429);
  });
});

test('completions', async () => {
  for (const more of [{}, { n: 2 }, { echo: true }, { logprobs: 2 }]) {
    const body = { model: 'gpt-3.5-turbo-instruct', prompt: 'Once upon', ...more };
    await good('openai', '/completions', body);
    await good('openai', '/completions', { ...body, stream: true, stream_options: { include_usage: true } });
  }
});

describe('responses', () => {
  const ask = (input: string, more: object = {}) => ({ model: 'sandbox-chat', input, ...more });
  const tools = [{ type: 'function', name: 'get_weather', parameters, strict: false }];
  const bodies: Record<string, object> = {
    text: ask('Hello'),
    tools: ask('use the tool', { tools }),
    'custom tools': ask('use the tool', { tools: [{ type: 'custom', name: 'run_code' }] }),
    structured: ask('Hello', { text: { format: { type: 'json_schema', name: 'a', schema, strict: true } } }),
    'a limit': ask('Hello [[long 50]]', { max_output_tokens: 16 }),
    reasoning: ask('Hello [[reasoning 3]] [[cached 2]]', { reasoning: { effort: 'low', summary: 'auto' } }),
    'web search': ask('Hello [[tool-uses 2]]', { tools: [{ type: 'web_search' }] }),
    failure: ask('Hello [[error-finish]]'),
    'instructions and metadata': ask('Hello', { instructions: 'Be brief', metadata: { a: 'b' }, user: 'me' }),
  };
  for (const [name, body] of Object.entries(bodies))
    test(name, async () => {
      await good('openai', '/responses', body);
      await good('openai', '/responses', { ...body, stream: true });
    });
  test('stored ones', async () => {
    const { id } = JSON.parse((await good('openai', '/responses', ask('Hello'))).text) as { id: string };
    await good('openai', `/responses/${id}`);
    await good('openai', `/responses/${id}/input_items`);
    const background = await good('openai', '/responses', ask('Hello', { background: true }));
    const begun = JSON.parse(background.text) as { id: string };
    await good('openai', `/responses/${begun.id}/cancel`, {});
    assert.equal((await check('openai', '/responses/resp_unknown')).status, 404);
  });
});

test('embeddings, moderations and models', async () => {
  await good('openai', '/embeddings', { model: 'text-embedding-3-small', input: ['a', 'b'], dimensions: 8 });
  await good('openai', '/moderations', { model: 'omni-moderation-latest', input: ['a', 'kill'] });
  await good('openai', '/models');
  await good('openai', '/models/gpt-4o');
  assert.equal((await check('openai', '/models/nobody')).status, 404);
});

test('images', async () => {
  const image = { model: 'gpt-image-1', prompt: 'A boat', size: '1024x1024' };
  await good('openai', '/images/generations', image);
  await good('openai', '/images/generations', { ...image, model: 'dall-e-3' });
  await good('openai', '/images/generations', { ...image, stream: true, partial_images: 2 });
  const picture: FormEntry = {
    name: 'image',
    value: await makePng({ width: 8, height: 8, seed: 'a' }),
    filename: 'a.png',
  };
  const fields = Object.entries(image).map(([name, value]) => ({ name, value }));
  await good('openai', '/images/edits', {}, writeForm([...fields, picture]));
  await good('openai', '/images/edits', {}, writeForm([...fields, picture, { name: 'stream', value: 'true' }]));
});

test('transcriptions and translations', async () => {
  const file: FormEntry = { name: 'file', value: writeWav(speak('Hello there', 1), sampleRate), filename: 'a.wav' };
  const hear = (path: string, model: string, more: FormEntry[] = []) =>
    good('openai', path, {}, writeForm([{ name: 'model', value: model }, file, ...more]));
  const verbose = { name: 'response_format', value: 'verbose_json' };
  for (const path of ['/audio/transcriptions', '/audio/translations']) {
    await hear(path, 'whisper-1');
    await hear(path, 'whisper-1', [verbose]);
  }
  await hear('/audio/transcriptions', 'gpt-4o-transcribe');
  await hear('/audio/transcriptions', 'gpt-4o-transcribe', [{ name: 'stream', value: 'true' }]);
  await hear('/audio/transcriptions', 'whisper-1', [verbose, { name: 'timestamp_granularities[]', value: 'word' }]);
});

test('videos in the task style', async () => {
  const made = await good('openai', '/videos', { model: 'sora-2', prompt: 'A boat [[task-polls 2]]' });
  const { id } = JSON.parse(made.text) as { id: string };
  await good('openai', `/videos/${id}`);
  await good('openai', `/videos/${id}`);
  await good('openai', '/videos');
  await good('openai', `/videos/${id}`, undefined, { method: 'DELETE' });
  assert.equal((await check('openai', `/videos/${id}`)).status, 404);
  const failing = await good('openai', '/videos', {
    model: 'sora-2',
    prompt: 'A boat [[task-polls 1]] [[task-fails]]',
  });
  await good('openai', `/videos/${(JSON.parse(failing.text) as { id: string }).id}`);
});

describe('messages', () => {
  const ask = (content: unknown, more: object = {}) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 4096,
    messages: [{ role: 'user', content }],
    ...more,
  });
  const tools = [{ name: 'get_weather', input_schema: parameters }];
  const bodies: Record<string, object> = {
    text: ask('Hello'),
    tools: ask('use the tool', { tools }),
    thinking: ask('Hello', { thinking: { type: 'enabled', budget_tokens: 1024 } }),
    'hidden thinking': ask('Hello', { thinking: { type: 'enabled', budget_tokens: 1024, display: 'omitted' } }),
    structured: ask('Hello', { output_config: { format: { type: 'json_schema', schema } } }),
    'a stop sequence': ask('Hello', { stop_sequences: ['a', 'e'] }),
    'a limit': ask('Hello [[long 50]]', { max_tokens: 3 }),
    cache: ask('Hello there, this is long [[cached 2]] [[cache-write 2]]'),
    'a late cache': ask('Hello there, this is long [[cached 2]] [[cache-write 2]] [[late-cache]]'),
    'a malformed call': ask('use the tool [[malformed-call]]', { tools }),
    'web search': ask('Hello [[tool-uses 2]]', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
    refusal: ask('Hello [[refusal]]'),
    'nothing said': ask('Hello [[blocked]]'),
    'a served tier': ask('Hello [[served-priority]]'),
  };
  for (const [name, body] of Object.entries(bodies))
    test(name, async () => {
      await good('anthropic', '/v1/messages', body);
      await good('anthropic', '/v1/messages', { ...body, stream: true });
    });
  test('counts, models and refusals', async () => {
    await good('anthropic', '/v1/messages/count_tokens', {
      model: 'claude-sonnet-4-5',
      messages: [{ role: 'user', content: 'Hi' }],
    });
    await good('anthropic', '/v1/models');
    await good('anthropic', '/v1/models/claude-sonnet-4-5');
    assert.equal((await check('anthropic', '/v1/messages', { model: 'claude-sonnet-4-5' })).status, 400);
    assert.equal((await check('anthropic', '/v1/messages', ask('Hello [[fail 529]]'))).status, 529);
    await good('anthropic', '/v1/messages', { ...ask('Hello [[error-event 1]]'), stream: true });
  });
});

describe('generate-content', () => {
  const at = (method: string, model = 'gemini-2.5-flash') => `/v1beta/models/${model}:${method}`;
  const ask = (text: string, more: object = {}) => ({ contents: [{ role: 'user', parts: [{ text }] }], ...more });
  const functionDeclarations = [{ name: 'get_weather', parametersJsonSchema: parameters }];
  const thinkingConfig = { includeThoughts: true, thinkingBudget: 100 };
  const bodies: Record<string, object> = {
    text: ask('Hello'),
    tools: ask('use the tool', { tools: [{ functionDeclarations }] }),
    thinking: ask('Hello', { generationConfig: { thinkingConfig } }),
    structured: ask('Hello', {
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
    }),
    'a limit': ask('Hello [[long 50]]', { generationConfig: { maxOutputTokens: 3 } }),
    candidates: ask('Hello', { generationConfig: { candidateCount: 2 } }),
    cache: ask('Hello [[cached 1]] [[late-cache]]'),
    'a malformed call': ask('use the tool [[malformed-call]]', { tools: [{ functionDeclarations }] }),
    search: ask('Hello [[tool-uses 2]]', { tools: [{ googleSearch: {} }] }),
    refusal: ask('Hello [[refusal]]'),
    blocked: ask('Hello [[blocked]]'),
    'a served tier': ask('Hello [[served-priority]]'),
  };
  for (const [name, body] of Object.entries(bodies))
    test(name, async () => {
      for (const model of ['gemini-2.5-flash', 'gemini-3-pro-preview', 'gemini-2.5-flash-image']) {
        await good('gemini', at('generateContent', model), body);
        await good('gemini', at('streamGenerateContent?alt=sse', model), body);
      }
      await good('gemini', at('streamGenerateContent'), body);
    });
  test('counts, vectors, models and refusals', async () => {
    await good('gemini', at('countTokens'), ask('Hello'));
    await good('gemini', at('embedContent', 'gemini-embedding-001'), { content: { parts: [{ text: 'a' }] } });
    const requests = [{ model: 'models/gemini-embedding-001', content: { parts: [{ text: 'a' }] } }];
    await good('gemini', at('batchEmbedContents', 'gemini-embedding-001'), { requests });
    await good('gemini', '/v1beta/models');
    await good('gemini', '/v1beta/models/gemini-2.5-flash');
    assert.equal((await check('gemini', at('generateContent'), { contents: 5 })).status, 400);
    assert.equal((await check('gemini', at('generateContent'), ask('Hello [[fail 503]]'))).status, 503);
  });
});

test('rerank', async () => {
  const body = { model: 'rerank-english-v3.0', query: 'a', documents: ['a b', 'c'], top_n: 1 };
  await good('rerank', '/rerank', body);
  await good('rerank', '/rerank', { ...body, return_documents: true });
});
