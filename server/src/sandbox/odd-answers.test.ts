// Answers that real services give and a gateway must cope with: counts that come late, calls that cannot be read, pictures
// among words, instructions between messages.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { askMessages, messagesBody, say, stream } from './anthropic/test-messages.ts';
import { askModel, generate, generateBody, readParts, streamEvents } from './gemini/test-generate.ts';
import { startSandbox } from './server.ts';
import { call, chatBody } from './test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

describe('late-cache', () => {
  test('of messages: all input is fresh at the start, the cache is counted at the end', async () => {
    const events = await stream(sandbox, messagesBody('Hello there [[cached 3]] [[cache-write 2]] [[late-cache]]'));
    type Counts = Record<string, number>;
    const atStart = (events[0]?.data['message'] as { usage: Counts } | undefined)?.usage ?? {};
    const atEnd = (events.at(-2)?.data['usage'] ?? {}) as Counts;
    assert.deepEqual([atStart['cache_read_input_tokens'], atStart['cache_creation_input_tokens']], [0, 0]);
    assert.deepEqual([atEnd['cache_read_input_tokens'], atEnd['cache_creation_input_tokens']], [3, 2]);
    assert.equal(atStart['input_tokens'], Number(atEnd['input_tokens']) + 5);
  });

  test('of generate-content: only the last chunk has the count', async () => {
    const chunks = await streamEvents(sandbox, generateBody('Hello there [[cached 3]] [[late-cache]]'));
    const counts = chunks.map(({ usageMetadata }) => usageMetadata?.['cachedContentTokenCount']);
    assert.ok(counts.length > 1);
    assert.deepEqual(counts, [...counts.slice(1).map(() => undefined), 3]);
  });
});

describe('malformed-call', () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  test('of chat and responses: arguments that are no JSON, and a usual end', async () => {
    const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
    const chat = await call(sandbox, chatBody('use the tool [[malformed-call]]', { tools }));
    const [choice] = (JSON.parse(chat.text) as { choices: ChatChoice[] }).choices;
    assert.equal(choice?.finish_reason, 'tool_calls');
    assert.equal(isJson(choice.message.tool_calls[0]?.function.arguments ?? '{}'), false);
    const body = {
      model: 'sandbox-chat',
      input: 'use the tool [[malformed-call]]',
      tools: [{ type: 'function', name: 'get_weather', parameters }],
    };
    const response = await call(sandbox, body, { path: '/responses' });
    const { status, output } = JSON.parse(response.text) as { status: string; output: { arguments: string }[] };
    assert.equal(status, 'completed');
    assert.equal(isJson(output[0]?.arguments ?? '{}'), false);
  });

  test('of messages: broken pieces in a stream, no input in a whole answer', async () => {
    const tools = [{ name: 'get_weather', input_schema: parameters }];
    const body = messagesBody('use the tool [[malformed-call]]', { tools });
    const whole = await say(sandbox, body);
    assert.deepEqual([whole.stop_reason, whole.content.at(-1)?.['input']], ['tool_use', {}]);
    const events = await stream(sandbox, body);
    const deltas = events.map(({ data }) => data['delta'] as { partial_json?: string } | undefined);
    assert.equal(isJson(deltas.map((delta) => delta?.partial_json ?? '').join('')), false);
  });

  test('of generate-content: MALFORMED_FUNCTION_CALL and no call', async () => {
    const body = generateBody('use the tool [[malformed-call]]', {
      tools: [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: parameters }] }],
    });
    const whole = await generate(sandbox, body);
    assert.equal(whole.candidates?.[0]?.finishReason, 'MALFORMED_FUNCTION_CALL');
    assert.deepEqual(readParts(whole), []);
    const last = (await streamEvents(sandbox, body)).at(-1)?.candidates?.[0];
    assert.partialDeepStrictEqual(last, { finishReason: 'MALFORMED_FUNCTION_CALL' });
    assert.match(String((last as { finishMessage?: string }).finishMessage), /^Malformed function call: .*get_weather/);
  });
});

type ChatChoice = { finish_reason: string; message: { tool_calls: { function: { arguments: string } }[] } };

describe('drawn pictures of generate-content', () => {
  const model = 'gemini-2.5-flash-image';

  test('come with words, whole and streamed, and cost their tokens', async () => {
    const whole = await generate(sandbox, generateBody('Draw a boat'), { model });
    const pictures = readParts(whole).flatMap(({ inlineData }) => inlineData ?? []) as { data: string }[];
    assert.equal(pictures.length, 1);
    assert.equal(Buffer.from(pictures[0]?.data ?? '', 'base64').toString('latin1', 1, 4), 'PNG');
    const words = readParts(whole).filter(({ text }) => text !== undefined);
    assert.ok(words.length > 0 && Number(whole.usageMetadata?.['candidatesTokenCount']) > 1290);
    const chunks = await streamEvents(sandbox, generateBody('Draw a boat'), { model });
    assert.equal(chunks.flatMap(readParts).filter(({ inlineData }) => inlineData !== undefined).length, 1);
    assert.deepEqual(chunks.at(-1)?.usageMetadata, whole.usageMetadata);
  });

  test('come alone, or not at all, as responseModalities says; other models have none', async () => {
    const ask = (modalities: string[]) =>
      generateBody('Draw', { generationConfig: { responseModalities: modalities } });
    const alone = readParts(await generate(sandbox, ask(['IMAGE']), { model }));
    assert.deepEqual(
      alone.map((part) => Object.keys(part)),
      [['inlineData']],
    );
    const words = readParts(await generate(sandbox, ask(['TEXT']), { model }));
    assert.ok(words.every(({ inlineData }) => inlineData === undefined));
    const refused = await askModel(sandbox, 'generateContent', ask(['TEXT', 'IMAGE']));
    assert.deepEqual([refused.status, /modalities: image/.test(refused.text)], [400, true]);
  });
});

describe('instructions between messages', () => {
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi' },
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', content: 'Go on' },
  ];
  const ask = async (more: unknown[], version = '2026-10-21') => {
    const headers = { 'anthropic-version': version };
    const { status, text } = await askMessages(sandbox, messagesBody('', { messages: more }), { headers });
    return [status, text] as const;
  };

  test('are taken from the version on that has them, and counted', async () => {
    const [status, text] = await ask(messages);
    assert.equal(status, 200, text);
    const [, without] = await ask(messages.filter(({ role }) => role !== 'system'));
    const tokens = (answer: string) => (JSON.parse(answer) as { usage: { input_tokens: number } }).usage.input_tokens;
    assert.ok(tokens(text) > tokens(without));
  });

  test('are refused in older versions, before the first message, and with more than text', async () => {
    assert.match((await ask(messages, '2023-06-01'))[1], /Unexpected role \\"system\\"/);
    assert.match((await ask(messages.slice(2)))[1], /first message must use the \\"user\\" role/);
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const [status] = await ask([messages[0], { role: 'system', content: [image] }, messages[3]]);
    assert.equal(status, 400);
  });
});
