import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSandbox } from '../server.ts';
import {
  askModel,
  generate,
  generateBody,
  joinWords,
  readChunks,
  readParts,
  type Response,
  streamEvents,
} from './test-generate.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const parameters = { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] };
const functionDeclarations = [
  { name: 'get_time', parameters },
  { name: 'get_weather', parameters },
];
const tools = [{ functionDeclarations }];

test('the same question gets the same words and counts under another id', async () => {
  const [one, two] = [await generate(sandbox, generateBody('Hello')), await generate(sandbox, generateBody('Hello'))];
  assert.notEqual(one.responseId, two.responseId);
  assert.deepEqual([one.candidates, one.usageMetadata], [two.candidates, two.usageMetadata]);
  assert.match(readParts(one)[0]?.text ?? '', /^You said: Hello/);
  assert.partialDeepStrictEqual(one, {
    candidates: [{ content: { role: 'model' }, finishReason: 'STOP', index: 0 }],
    modelVersion: 'sandbox-generate',
  });
  const { promptTokenCount, candidatesTokenCount, totalTokenCount } = one.usageMetadata ?? {};
  assert.equal(totalTokenCount, Number(promptTokenCount) + Number(candidatesTokenCount));
});

test('a stream says the same as events and as an array, and counts up to the same usage', async () => {
  const whole = await generate(sandbox, generateBody('Hello'));
  const events = await streamEvents(sandbox, generateBody('Hello'));
  const got = await askModel(sandbox, 'streamGenerateContent', generateBody('Hello'));
  assert.match(got.headers['content-type'] ?? '', /^application\/json/);
  assert.equal(got.headers['content-length'], undefined);
  for (const chunks of [events, JSON.parse(got.text) as Response[]]) {
    assert.equal(joinWords(chunks), readParts(whole)[0]?.text);
    assert.deepEqual(chunks.at(-1)?.usageMetadata, whole.usageMetadata);
    assert.equal(chunks.at(-1)?.candidates?.[0]?.finishReason, 'STOP');
    assert.ok(chunks.slice(0, -1).every(({ candidates }) => candidates?.[0]?.finishReason === undefined));
    const counts = chunks.map(({ usageMetadata }) => Number(usageMetadata?.['candidatesTokenCount']));
    assert.deepEqual(
      counts,
      counts.toSorted((one, other) => one - other),
    );
    assert.equal(new Set(chunks.map(({ responseId }) => responseId)).size, 1);
  }
});

test('both spellings of a name are read, as is one value where a list belongs', async () => {
  const body = {
    contents: { parts: { text: 'Hello' } },
    system_instruction: { parts: [{ text: 'Be brief.' }] },
    generation_config: { max_output_tokens: '3', stop_sequences: ['x'], candidate_count: 2 },
  };
  const { candidates, usageMetadata } = await generate(sandbox, body);
  assert.deepEqual(
    candidates?.map(({ finishReason, index }) => [finishReason, index]),
    [
      ['MAX_TOKENS', 0],
      ['MAX_TOKENS', 1],
    ],
  );
  assert.equal(usageMetadata?.['candidatesTokenCount'], 6);
  const stopped = await generate(sandbox, generateBody('Hello', { generationConfig: { stopSequences: [': Hello'] } }));
  assert.deepEqual([readParts(stopped)[0]?.text, stopped.candidates?.[0]?.finishReason], ['You said', 'STOP']);
});

test('one function or several are called, within what the config allows', async () => {
  const named = async (text: string, config?: object, model?: string) => {
    const toolConfig = config === undefined ? {} : { toolConfig: { functionCallingConfig: config } };
    const response = await generate(
      sandbox,
      generateBody(text, { tools, ...toolConfig }),
      model === undefined ? {} : { model },
    );
    return readParts(response).map((part) => (part['functionCall'] as { name: string } | undefined)?.name);
  };
  assert.deepEqual(await named('hello'), [undefined]);
  assert.deepEqual(await named('What is the weather?'), ['get_weather']);
  assert.deepEqual(await named('get_time and get_weather'), ['get_time', 'get_weather']);
  assert.deepEqual(await named('hello', { mode: 'ANY' }), ['get_time']);
  assert.deepEqual(await named('hello', { mode: 'any', allowedFunctionNames: ['get_weather'] }), ['get_weather']);
  assert.deepEqual(await named('weather', { mode: 'NONE' }), [undefined]);
});

test('the first call of a turn is signed, and the answer to the results is in words', async () => {
  const body = generateBody('get_time and get_weather', { tools });
  const parts = readParts(await generate(sandbox, body));
  assert.deepEqual(parts[1], { functionCall: { name: 'get_weather', args: { city: 'sample city' } } });
  assert.match(String(parts[0]?.['thoughtSignature']), /^[\w+/]{40,}=*$/);
  const streamed = (await streamEvents(sandbox, body)).flatMap(readParts);
  assert.deepEqual(streamed.slice(0, 2), parts);
  const results = parts.map((part) => {
    const { name } = part['functionCall'] as { name: string };
    return { functionResponse: { name, response: { sky: 'clear' } } };
  });
  const contents = [
    { role: 'user', parts: [{ text: 'get_time and get_weather' }] },
    { role: 'model', parts },
    { role: 'user', parts: results },
  ];
  const [words] = readParts(await generate(sandbox, { contents, tools }));
  assert.match(words?.text ?? '', /^The tool answered: \{"sky":"clear"\}/);
});

test('the third generation gives its calls ids and wants signatures back', async () => {
  const model = 'gemini-3-pro-preview';
  const [part] = readParts(await generate(sandbox, generateBody('weather', { tools }), { model }));
  assert.ok(part);
  assert.match((part['functionCall'] as { id: string }).id, /^\w{16}$/);
  const ask = (sent: unknown) =>
    askModel(
      sandbox,
      'generateContent',
      {
        contents: [
          { role: 'user', parts: [{ text: 'weather' }] },
          { role: 'model', parts: [sent] },
          { role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: {} } }] },
        ],
      },
      { model },
    );
  assert.equal((await ask(part)).status, 200);
  const unsigned = await ask({ functionCall: part['functionCall'] });
  assert.equal(unsigned.status, 400);
  assert.match(unsigned.text, /missing a thought_signature/);
});

test('thoughts cost always, show when wanted, and leave a signature on the words', async () => {
  const ask = (thinkingConfig: object) => generateBody('hi', { generationConfig: { thinkingConfig } });
  const hidden = await generate(sandbox, ask({ thinkingBudget: 512 }));
  const shown = await generate(sandbox, ask({ thinkingLevel: 'low', includeThoughts: true }));
  const [thought, words] = readParts(shown);
  assert.equal(thought?.['thought'], true);
  assert.match(String(words?.['thoughtSignature']), /^[\w+/]{40,}=*$/);
  assert.deepEqual(readParts(hidden).length, 1);
  assert.deepEqual(hidden.usageMetadata, shown.usageMetadata);
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, totalTokenCount } = shown.usageMetadata ?? {};
  assert.ok(Number(thoughtsTokenCount) > 5);
  assert.equal(totalTokenCount, Number(promptTokenCount) + Number(candidatesTokenCount) + Number(thoughtsTokenCount));
  const chunks = await streamEvents(sandbox, ask({ includeThoughts: true }));
  const thoughts = chunks.flatMap(readParts).filter((part) => part['thought'] === true);
  assert.equal(thoughts.map(({ text }) => text).join(''), thought?.text);
  assert.ok(readParts(chunks.at(-1))[0]?.['thoughtSignature'] !== undefined);
  assert.deepEqual(chunks.at(-1)?.usageMetadata, shown.usageMetadata);
  const off = await generate(sandbox, ask({ thinkingBudget: 0 }));
  assert.equal(off.usageMetadata?.['thoughtsTokenCount'], undefined);
  const used = await generate(sandbox, generateBody('[[reasoning 9]]', { generationConfig: { maxOutputTokens: 9 } }));
  assert.deepEqual(used.candidates?.[0]?.content, { role: 'model' });
  assert.equal(used.candidates?.[0]?.finishReason, 'MAX_TOKENS');
});

test('structured output fits the schema, in either dialect', async () => {
  const responseMimeType = 'application/json';
  const responseSchema = {
    type: 'object',
    properties: { age: { type: 'INTEGER', minimum: 18 }, colour: { type: 'STRING', enum: ['red', 'blue'] } },
  };
  const responseJsonSchema = { $ref: '#/$defs/x', $defs: { x: { type: 'object', properties: { age: { const: 3 } } } } };
  const ask = async (generationConfig: object) =>
    JSON.parse(readParts(await generate(sandbox, generateBody('hi', { generationConfig })))[0]?.text ?? '') as unknown;
  assert.deepEqual(await ask({ responseMimeType, responseSchema }), { age: 18, colour: 'red' });
  assert.deepEqual(await ask({ responseMimeType, responseJsonSchema }), { age: 3 });
  assert.partialDeepStrictEqual(await ask({ responseMimeType }), { sandbox: true });
});

test('safety ends an answer, or blocks the prompt and with it every candidate', async () => {
  const refused = await generate(sandbox, generateBody('hi [[refusal]]'));
  assert.partialDeepStrictEqual(refused.candidates, [{ finishReason: 'SAFETY', safetyRatings: [{ blocked: true }] }]);
  const blocked = await generate(sandbox, generateBody('hi [[blocked]]'));
  assert.deepEqual([blocked.candidates, blocked.promptFeedback?.['blockReason']], [undefined, 'SAFETY']);
  const [only, ...more] = await streamEvents(sandbox, generateBody('hi [[blocked]]'));
  assert.deepEqual([only?.promptFeedback?.['blockReason'], more.length], ['SAFETY', 0]);
});

test('cached tokens are a part of the prompt, by directive or by cachedContent', async () => {
  const plain = await generate(sandbox, generateBody('one two three'));
  const reported = await generate(sandbox, generateBody('one two three'), { directive: 'cached-3' });
  assert.deepEqual(reported.usageMetadata, { ...plain.usageMetadata, cachedContentTokenCount: 3 });
  const cached = await generate(sandbox, generateBody('one two three', { cachedContent: 'cachedContents/abc' }));
  assert.equal(cached.usageMetadata?.['cachedContentTokenCount'], 100);
  assert.equal(cached.usageMetadata?.['promptTokenCount'], Number(plain.usageMetadata?.['promptTokenCount']) + 100);
});

test('countTokens counts what the prompt costs, in both of its forms', async () => {
  const count = async (body: unknown) =>
    (JSON.parse((await askModel(sandbox, 'countTokens', body)).text) as { totalTokens: number }).totalTokens;
  const body = generateBody('What is this?', { tools, systemInstruction: { parts: [{ text: 'Be brief.' }] } });
  const { usageMetadata } = await generate(sandbox, body);
  const generateContentRequest = { model: 'models/sandbox-generate', ...body };
  assert.equal(await count({ generateContentRequest }), usageMetadata?.['promptTokenCount']);
  const bare = await generate(sandbox, generateBody('hi'));
  assert.equal(await count(generateBody('hi')), bare.usageMetadata?.['promptTokenCount']);
});

test('embeddings are unit vectors, one or a batch', async () => {
  const model = 'sandbox-generate-embedding';
  const embed = async (method: string, body: unknown) =>
    JSON.parse((await askModel(sandbox, method, body, { model })).text) as Record<string, unknown>;
  const content = { parts: [{ text: 'A small boat' }] };
  const one = await embed('embedContent', { content, outputDimensionality: 16, taskType: 'RETRIEVAL_QUERY' });
  const { values } = one['embedding'] as { values: number[] };
  assert.equal(values.length, 16);
  assert.ok(Math.abs(Math.hypot(...values) - 1) < 1e-6);
  assert.deepEqual(one['usageMetadata'], { promptTokenCount: 3 });
  const request = { model: `models/${model}`, content, outputDimensionality: 16 };
  const batch = await embed('batchEmbedContents', {
    requests: [request, { ...request, content: { parts: { text: 'Ice' } } }],
  });
  const [first, second] = batch['embeddings'] as { values: number[] }[];
  assert.deepEqual(first?.values, values);
  assert.notDeepEqual(second?.values, values);
  const wrong = await askModel(sandbox, 'batchEmbedContents', { requests: [{ content }] }, { model });
  assert.match(wrong.text, /requests\[0\]\.model: unexpected model name format/);
});

test('models are listed by page, and found by name', async () => {
  const get = async (path: string) => {
    const got = await fetch(`${sandbox.baseUrl('gemini')}/v1beta/models${path}`, {
      headers: { 'x-goog-api-key': 'x' },
    });
    return { status: got.status, body: (await got.json()) as { models: { name: string }[]; nextPageToken?: string } };
  };
  const { body } = await get('?pageSize=2');
  assert.deepEqual([body.models[0]?.name, body.models.length], ['models/sandbox-generate', 2]);
  assert.equal((await get(`?pageSize=2&pageToken=${body.nextPageToken}`)).body.models.length, 2);
  assert.equal((await get('/gemini-2.5-flash')).status, 200);
  assert.equal((await get('/gpt-4o')).status, 404);
});

test('a stream breaks before its first chunk, after some, in its JSON, or by the connection', async () => {
  const [only] = await streamEvents(sandbox, generateBody('[[error-event 0]]'));
  assert.deepEqual([only?.error?.code, only?.error?.status], [500, 'INTERNAL']);
  const later = await streamEvents(sandbox, generateBody('[[error-event 2]]'));
  assert.deepEqual([later.length, later.at(-1)?.error?.status], [3, 'INTERNAL']);
  const array = await askModel(sandbox, 'streamGenerateContent', generateBody('[[error-event 2]]'));
  assert.equal((JSON.parse(array.text) as Response[]).at(-1)?.error?.status, 'INTERNAL');
  const cut = await askModel(sandbox, 'streamGenerateContent?alt=sse', generateBody('[[cut 2]]'));
  assert.ok(cut.broken && readChunks(cut.text).length === 2);
  const cutArray = await askModel(sandbox, 'streamGenerateContent', generateBody('[[cut 2]]'));
  assert.ok(cutArray.broken);
  assert.throws(() => JSON.parse(cutArray.text) as unknown);
  const ended = await askModel(sandbox, 'streamGenerateContent', generateBody('[[end 2]]'));
  assert.equal((JSON.parse(ended.text) as Response[]).length, 2);
  const undone = await streamEvents(sandbox, generateBody('[[no-done]]'));
  assert.ok(undone.every(({ candidates }) => candidates?.[0]?.finishReason === undefined));
  const silent = await streamEvents(sandbox, generateBody('[[no-usage]]'));
  assert.ok(silent.every(({ usageMetadata }) => usageMetadata === undefined));
  const split = await askModel(sandbox, 'streamGenerateContent', generateBody('[[split]]'));
  assert.ok(split.chunks.every((chunk) => chunk.length <= 7));
  assert.ok(joinWords(JSON.parse(split.text) as Response[]).includes('naïve 猫'));
});
