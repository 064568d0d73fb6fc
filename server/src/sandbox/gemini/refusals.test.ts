// What the real service refuses, and in which words.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSandbox } from '../server.ts';
import { askModel, type AskOptions, generateBody, type Response } from './test-generate.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const config = (generationConfig: object) => ({ generationConfig });
const declare = (declaration: object) => ({ tools: [{ functionDeclarations: [declaration] }] });
const withParameters = (parameters: object) => declare({ name: 'f', parameters });
const parts = (...list: object[]) => ({ contents: [{ role: 'user', parts: list }] });
const user = { role: 'user', parts: [{ text: 'hi' }] };
const calls = { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }, { functionCall: { name: 'g' } }] };
const result = { functionResponse: { name: 'f', response: {} } };
const unequal =
  'Please ensure that the number of function response parts is equal to the number of function call parts';

const refusals: [string, object, string][] = [
  [
    'a field is unknown',
    { temperature: 1 },
    'Invalid JSON payload received. Unknown name "temperature": Cannot find field.',
  ],
  [
    'a nested field is unknown',
    config({ max_tokens: 1 }),
    `Invalid JSON payload received. Unknown name "max_tokens" at 'generation_config': Cannot find field.`,
  ],
  [
    'a schema has a keyword of the larger kind',
    withParameters({ type: 'OBJECT', properties: { a: { type: 'STRING' }, b: { type: 'STRING', const: 'x' } } }),
    `Invalid JSON payload received. Unknown name "const" at 'tools[0].function_declarations[0].parameters.properties[1].value': Cannot find field.`,
  ],
  [
    'a schema forbids additional properties',
    withParameters({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }),
    `Invalid JSON payload received. Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
  ],
  [
    'a type is a list',
    withParameters({ type: ['string', 'null'] }),
    `Invalid JSON payload received. Unknown name "type" at 'tools[0].function_declarations[0].parameters': Proto field is not repeating, cannot start list.`,
  ],
  [
    'a number is a word',
    config({ temperature: 'warm' }),
    `Invalid value at 'generation_config.temperature' (TYPE_FLOAT), "warm"`,
  ],
  ['a whole number is broken', config({ topK: 1.5 }), `Invalid value at 'generation_config.top_k' (TYPE_INT32), 1.5`],
  [
    'a response is text',
    parts({ functionResponse: { name: 'f', response: 'x' } }),
    `Invalid value at 'contents[0].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct), "x"`,
  ],
  [
    'data is no base64',
    parts({ inlineData: { mimeType: 'image/png', data: 'data:,x' } }),
    `Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), "data:,x"`,
  ],
  [
    'a category is unknown',
    { safetySettings: [{ category: 'X' }] },
    `Invalid value at 'safety_settings[0].category' (type.googleapis.com/google.ai.generativelanguage.v1beta.HarmCategory), "X"`,
  ],
  [
    'a part is two things',
    parts({ text: 'x', inlineData: {} }),
    `Invalid value at 'contents[0].parts[0]' (oneof), oneof field 'data' is already set. Cannot set 'inlineData'`,
  ],
  [
    'a part is nothing',
    parts({ thought: true }),
    `* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field`,
  ],
  ['contents are empty', { contents: [] }, '* GenerateContentRequest.contents: contents is not specified'],
  [
    'parts are empty',
    { contents: [{ role: 'user', parts: [] }] },
    '* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.',
  ],
  [
    'a role is of another protocol',
    { contents: [{ ...user, role: 'assistant' }] },
    'Please use a valid role: user, model.',
  ],
  ['a role is function', { contents: [{ ...user, role: 'function' }] }, 'Please use a valid role: user, model.'],
  [
    'the only turn is the model’s',
    { contents: [{ ...user, role: 'model' }] },
    'Please ensure that single turn requests end with a user role',
  ],
  [
    'a call begins the conversation',
    { contents: [calls, user] },
    'Please ensure that function call turn comes immediately after a user turn',
  ],
  [
    'a result answers no call',
    { contents: [user, { role: 'user', parts: [result] }] },
    'Please ensure that function response turn comes immediately after a function call turn.',
  ],
  ['results are fewer than calls', { contents: [user, calls, { role: 'user', parts: [result] }] }, unequal],
  ['calls are not answered', { contents: [user, calls, user] }, unequal],
  [
    'a result has no name',
    { contents: [user, calls, { role: 'user', parts: [result, { functionResponse: { response: {} } }] }] },
    '* GenerateContentRequest.contents[2].parts[1].function_response.name: Name cannot be empty.',
  ],
  [
    'a function’s name has a space',
    declare({ name: 'a b' }),
    '* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name.',
  ],
  [
    'an object has no properties',
    withParameters({ type: 'OBJECT', properties: {} }),
    '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties: should be non-empty for OBJECT type',
  ],
  [
    'an array has no items',
    withParameters({ type: 'OBJECT', properties: { a: { type: 'ARRAY' } } }),
    '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[a].items: missing field.',
  ],
  [
    'a required property is not defined',
    withParameters({ type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['b'] }),
    '* GenerateContentRequest.tools[0].function_declarations[0].parameters.required[0]: property is not defined',
  ],
  [
    'two schemas describe one function',
    declare({ name: 'f', parameters: { type: 'STRING' }, parametersJsonSchema: {} }),
    '* GenerateContentRequest.tools[0].function_declarations[0]: only one of',
  ],
  [
    'a function calling config has no functions',
    { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    'Function calling config is set without function_declarations.',
  ],
  [
    'temperature is above 2',
    config({ temperature: 3 }),
    '* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0, 2].',
  ],
  [
    'maxOutputTokens is 0',
    config({ maxOutputTokens: 0 }),
    '* GenerateContentRequest.generation_config.max_output_tokens: max_output_tokens must be positive.',
  ],
  [
    'there are six stop sequences',
    config({ stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] }),
    '* GenerateContentRequest.generation_config.stop_sequences:',
  ],
  [
    'a mimetype is unknown',
    config({ responseMimeType: 'text/html' }),
    '* GenerateContentRequest.generation_config.response_mime_type: allowed mimetypes are',
  ],
  [
    'a schema comes without the mimetype',
    config({ responseSchema: { type: 'STRING' } }),
    '* GenerateContentRequest.generation_config.response_mime_type:',
  ],
  [
    'a budget meets a level',
    config({ thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } }),
    'You can only set only one of thinking budget and thinking level.',
  ],
  [
    'pictures are wanted',
    config({ responseModalities: ['IMAGE'] }),
    'Model does not support the requested response modalities: image',
  ],
  [
    'a cache meets instructions',
    { cachedContent: 'cachedContents/x', systemInstruction: { parts: [{ text: 'x' }] } },
    'CachedContent can not be used with GenerateContent request setting system_instruction',
  ],
];
for (const [when, fields, message] of refusals) {
  test(`400 INVALID_ARGUMENT when ${when}`, async () => {
    const got = await askModel(sandbox, 'generateContent', generateBody('hi', { ...fields }));
    assert.equal(got.status, 400, got.text);
    const { error } = JSON.parse(got.text) as Response;
    assert.deepEqual([error?.code, error?.status], [400, 'INVALID_ARGUMENT']);
    assert.ok(error?.message.startsWith(message), error?.message);
  });
}

test('all that does not fit is reported at once, with its paths', async () => {
  const got = await askModel(sandbox, 'generateContent', generateBody('hi', { stream: true, ...config({ n: 1 }) }));
  const { error } = JSON.parse(got.text) as Response;
  assert.equal(error?.message.split('\n').length, 2);
  const [details] = error?.details ?? [];
  assert.ok(details);
  assert.deepEqual(
    (details['fieldViolations'] as { field?: string }[]).map(({ field }) => field),
    [undefined, 'generation_config'],
  );
});

test('what is right is accepted: media, files, settings, JSON schemas, unanswered last calls', async () => {
  const good: object[] = [
    parts({ inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }, { text: 'what?' }),
    parts({ fileData: { fileUri: 'https://example.com/x.pdf', mimeType: 'application/pdf' } }),
    { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
    declare({ name: 'f' }),
    declare({ name: 'f', parametersJsonSchema: { type: 'object', additionalProperties: false } }),
    { tools: [{ googleSearch: {} }] },
    { contents: [user, { role: 'model', parts: [{ text: 'hm', thought: true, thoughtSignature: 'c2ln' }] }, user] },
    config({ seed: 1, topP: 0.5, topK: 3, presencePenalty: 0.1, responseModalities: ['TEXT'], temperature: null }),
  ];
  for (const fields of good) {
    const got = await askModel(sandbox, 'generateContent', generateBody('hi', { ...fields }));
    assert.equal(got.status, 200, got.text);
  }
});

test('a key may stand in the header or the query, and a wrong one is an invalid argument', async () => {
  const ask = async (method: string, headers: Record<string, string>, options: AskOptions = {}) => {
    const got = await askModel(sandbox, method, generateBody('hi'), { headers, ...options });
    const body = JSON.parse(got.text) as Response | Response[];
    return { status: got.status, error: (Array.isArray(body) ? body[0] : body)?.error, isArray: Array.isArray(body) };
  };
  const none = { 'x-goog-api-key': '' };
  assert.equal((await ask('generateContent?key=sandbox', none)).status, 200);
  assert.partialDeepStrictEqual(await ask('generateContent', none), {
    status: 403,
    error: { status: 'PERMISSION_DENIED' },
  });
  const wrong = await ask('generateContent?key=bad', none);
  assert.partialDeepStrictEqual(wrong, { status: 400, error: { status: 'INVALID_ARGUMENT' } });
  assert.equal(wrong.error?.details?.[0]?.['reason'], 'API_KEY_INVALID');
  const stream = await ask('streamGenerateContent', { 'x-goog-api-key': 'bad' });
  assert.deepEqual([stream.isArray, stream.status], [true, 400]);
  assert.equal((await ask('streamGenerateContent?alt=sse', { 'x-goog-api-key': 'bad' })).isArray, false);
  const unknown = await ask('generateContent', {}, { model: 'gpt-4o' });
  assert.partialDeepStrictEqual(unknown, { status: 404, error: { status: 'NOT_FOUND' } });
  assert.match(unknown.error?.message ?? '', /^models\/gpt-4o is not found for API version v1beta/);
});

test('chosen failures have the real statuses and words', async () => {
  for (const [directive, status, word] of [
    ['rate-limited-7', 429, 'RESOURCE_EXHAUSTED'],
    ['fail-500', 500, 'INTERNAL'],
    ['fail-503', 503, 'UNAVAILABLE'],
    ['fail-504', 504, 'DEADLINE_EXCEEDED'],
    ['unauthorised', 401, 'UNAUTHENTICATED'],
  ] as const) {
    const got = await askModel(sandbox, 'generateContent', generateBody('hi'), { directive });
    const { error } = JSON.parse(got.text) as Response;
    assert.deepEqual([got.status, error?.code, error?.status], [status, status, word]);
    if (status === 429) assert.equal(error?.details?.[0]?.['retryDelay'], '7s');
  }
});

test('the record shows path, query and body, without the key', async () => {
  await askModel(sandbox, 'streamGenerateContent?alt=sse&key=sk-very-secret', generateBody('hi'), {
    headers: { 'x-goog-api-key': '' },
  });
  const record = sandbox.records.at(-1);
  assert.partialDeepStrictEqual(record, {
    path: '/gemini/v1beta/models/sandbox-generate:streamGenerateContent',
    query: { alt: 'sse', key: '***' },
    keyHint: 'cret',
    body: generateBody('hi'),
  });
  assert.ok(!JSON.stringify(record).includes('very-secret'));
});
