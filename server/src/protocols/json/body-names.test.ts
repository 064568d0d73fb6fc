import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessages } from '../anthropic-messages/index.ts';
import { marksCache, namesSource } from './body-names.ts';
import { readEmbedContent } from '../gemini-embeddings/index.ts';
import { readGenerateContent } from '../gemini-generate-content/index.ts';
import { readChat } from '../openai-chat/index.ts';
import { readResponse } from '../openai-responses/index.ts';
import type { RelayRequest } from '../protocol.ts';

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const named = (part: unknown): boolean => namesSource(bytes({ messages: [{ content: [part] }] }));
const PICTURE = 'https://example.com/a.png';
const INLINE = 'data:image/png;base64,AAAA';

test('media that the upstream fetches or keeps are sources, in the words of every protocol', () => {
  for (const part of [
    { type: 'image_url', image_url: { url: PICTURE } },
    { type: 'image_url', image_url: PICTURE },
    { type: 'video_url', video_url: { url: PICTURE } },
    { type: 'file', file: { file_id: 'file-1' } },
    { type: 'file', file: { file_data: PICTURE } },
    { type: 'input_image', image_url: PICTURE },
    { type: 'input_image', file_id: 'file-1' },
    { type: 'input_file', file_url: PICTURE },
    { type: 'document', source: { type: 'url', url: PICTURE } },
    { type: 'image', source: { type: 'file', file_id: 'file_1' } },
    { fileData: { fileUri: 'files/abc' } },
    { file_data: { file_uri: 'gs://bucket/long.mp4' } },
  ])
    assert.equal(named(part), true, JSON.stringify(part));
});

test('what is embedded, said in text or meant for a tool is none', () => {
  for (const part of [
    { type: 'image_url', image_url: { url: INLINE } },
    { type: 'file', file: { file_data: 'JVBERi0xLjQK' } },
    { type: 'input_file', file_data: INLINE },
    { type: 'image', source: { type: 'base64', data: 'AAAA' } },
    { type: 'text', text: '{"image_url":"https://example.com/a.png","file_id":"x"}' },
    { type: 'tool_use', name: 'fetch', input: { url: PICTURE } },
    { type: 'tool', parameters: { properties: { file_id: { type: 'string' } }, required: ['file_id'] } },
  ])
    assert.equal(named(part), false, JSON.stringify(part));
});

test('names are found however they are escaped, and bytes that are gone name nothing', () => {
  assert.equal(namesSource(Buffer.from(String.raw`{"a":{"file\u0055ri":"files/1"}}`)), true);
  assert.equal(namesSource(Buffer.alloc(0)), false);
});

test('a body marks what to keep by either name', () => {
  assert.equal(marksCache(bytes({ system: [{ text: 'x', cache_control: { type: 'ephemeral' } }] })), true);
  assert.equal(marksCache(bytes({ input: [{ prompt_cache_breakpoint: {} }] })), true);
  assert.equal(marksCache(bytes({ messages: [] })), false);
});

test('every request for text can be asked', () => {
  const content = [{ type: 'text', text: 'hi', cache_control: {}, file_id: 'file-1' }];
  const messages = [{ role: 'user', content }];
  const contents = [{ parts: [{ fileData: { fileUri: 'files/1' } }] }];
  const route = { model: 'm', stream: false, framing: 'events' } as const;
  const asked = ({ marksCache: marks, namesSource: names }: RelayRequest): unknown[] => [marks?.(), names?.()];
  assert.deepEqual(asked(readChat(bytes({ model: 'm', messages }))), [true, true]);
  assert.deepEqual(asked(readMessages(bytes({ model: 'm', max_tokens: 5, messages }))), [true, true]);
  assert.deepEqual(asked(readResponse(bytes({ model: 'm', input: messages }))), [true, true]);
  assert.deepEqual(asked(readGenerateContent(bytes({ contents }), route)), [undefined, true]);
  assert.deepEqual(asked(readEmbedContent(bytes({ content: contents[0] }), 'm')), [undefined, true]);
});

test('a body is searched once, however often a hold is worked out (promise M-14)', () => {
  const messages = [{ role: 'user', content: 'hi' }];
  const route = { model: 'm', stream: false, framing: 'events' } as const;
  const readers: [(body: Buffer) => RelayRequest, unknown][] = [
    [readChat, { model: 'm', messages }],
    [readMessages, { model: 'm', max_tokens: 5, messages }],
    [readResponse, { model: 'm', input: 'hi' }],
    [(body) => readGenerateContent(body, route), { contents: [{ parts: [{ text: 'hi' }] }] }],
  ];
  for (const [read, fields] of readers) {
    const body = bytes(fields);
    const request = read(body);
    let searches = 0;
    body.includes = (...looked) => (searches++, Buffer.prototype.includes.apply(body, looked));
    const ask = ({ mayNameSource, marksCache: marks }: RelayRequest): unknown[] => [mayNameSource?.(), marks?.()];
    const first = ask(request);
    const before = searches;
    assert.ok(before > 0);
    assert.deepEqual(ask({ ...request, maxOutputTokens: 16 }), first);
    assert.equal(searches, before);
  }
});

test('tools that the upstream works, and whatever else adds input of its own, are sources (promise M-10)', () => {
  for (const request of [
    { tools: [{ type: 'web_search' }] },
    {
      tools: [
        { type: 'function', name: 'mine' },
        { type: 'file_search', vector_store_ids: ['vs_1'] },
      ],
    },
    { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
    { tools: [{ type: 'mcp', server_label: 'x', server_url: 'https://example.com' }] },
    { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    { tools: [{ googleSearch: {} }] },
    { tools: [{ functionDeclarations: [] }, { url_context: {} }] },
    { web_search_options: {} },
    { mcp_servers: [{ type: 'url', url: 'https://example.com' }] },
    { search_parameters: { mode: 'auto' } },
    { container: 'cntr_1' },
    { plugins: [{ id: 'web' }] },
    { messages: [{ content: [{ type: 'document_url', document_url: PICTURE }] }] },
  ])
    assert.equal(namesSource(bytes(request)), true, JSON.stringify(request));
});

test('tools whose calls the caller answers are none', () => {
  for (const tools of [
    [{ type: 'function', function: { name: 'mine', parameters: { type: 'object' } } }],
    [
      { type: 'function', name: 'mine' },
      { type: 'custom', name: 'yours' },
    ],
    [{ name: 'mine', input_schema: { type: 'object' } }],
    [{ functionDeclarations: [{ name: 'mine' }] }, { function_declarations: [] }],
    [],
    null,
  ])
    assert.equal(namesSource(bytes({ tools, web_search_options: null, enable_search: false })), false);
});
