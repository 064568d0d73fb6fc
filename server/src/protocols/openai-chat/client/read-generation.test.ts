import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '../../../neutral/conversation.ts';
import type { Generation } from '../../../neutral/generation.ts';
import { assertRefused } from '../../../testing/refusals.ts';
import { readGeneration } from './read-generation.ts';

const HELLO = { role: 'user', content: 'hi' };
const read = (fields: object): Generation =>
  readGeneration(Buffer.from(JSON.stringify({ model: 'm', messages: [HELLO], ...fields })));
const say = (...messages: object[]): Message[] => read({ messages }).messages;
const refuses = (fields: object, message: string, param: string): void =>
  assertRefused(() => read(fields), message, param);

describe('messages of a chat request', () => {
  test('keep their roles, their order and their places', () => {
    const messages = say(
      { role: 'system', content: 'a' },
      HELLO,
      { role: 'developer', content: [{ type: 'text', text: 'b' }] },
      { role: 'assistant', content: null },
    );
    assert.deepEqual(messages, [
      { role: 'system', content: [{ type: 'text', text: 'a', path: 'messages[0].content' }], path: 'messages[0]' },
      { role: 'user', content: [{ type: 'text', text: 'hi', path: 'messages[1].content' }], path: 'messages[1]' },
      {
        role: 'system',
        isDeveloper: true,
        content: [{ type: 'text', text: 'b', path: 'messages[2].content[0]' }],
        path: 'messages[2]',
      },
      { role: 'assistant', content: [], path: 'messages[3]' },
    ]);
  });

  test('have images, files, audio and video by address and by bytes', () => {
    const parts = [
      { type: 'image_url', image_url: { url: 'https://x/a.png', detail: 'high' } },
      { type: 'image_url', image_url: 'data:image/png;base64,AA' },
      { type: 'input_audio', input_audio: { data: 'BB', format: 'mp3' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CC' } },
      { type: 'file', file: { file_data: 'DD' } },
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'video_url', video_url: { url: 'https://x/v.mp4' } },
    ];
    const [message] = say({ role: 'user', content: parts });
    const media = message?.content.map((part) => (part.type === 'media' ? [part.kind, part.source] : part));
    assert.deepEqual(media, [
      ['image', { by: 'url', url: 'https://x/a.png' }],
      ['image', { by: 'data', mediaType: 'image/png', data: 'AA' }],
      ['audio', { by: 'data', data: 'BB', mediaType: 'audio/mpeg' }],
      ['file', { by: 'data', mediaType: 'application/pdf', data: 'CC' }],
      ['file', { by: 'data', data: 'DD', mediaType: 'application/pdf' }],
      ['file', { by: 'id', id: 'file-1' }],
      ['video', { by: 'url', url: 'https://x/v.mp4' }],
    ]);
  });

  test('have calls with their signatures, reasoning, refusals, citations and results', () => {
    const google = { thought_signature: 'tg1.gemini-generate-content.G' };
    const [assistant, tool] = say(
      {
        role: 'assistant',
        content: 'see',
        refusal: 'no',
        annotations: [{ type: 'url_citation', url_citation: { url: 'u', start_index: 0, end_index: 3 } }],
        reasoning_content: 'ignored, as the details say more',
        reasoning_details: [
          { type: 'reasoning.text', text: 'hm', signature: 'tg1.anthropic-messages.S' },
          { type: 'reasoning.encrypted', data: 'tg1.anthropic-messages.E' },
          { type: 'reasoning.summary', summary: 'short' },
        ],
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content: { google } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'done' }] },
    );
    const bare = assistant?.content.map((part) => ({ ...part, path: '' }));
    assert.deepEqual(bare, [
      { type: 'reasoning', text: 'hm', signature: { protocol: 'anthropic-messages', value: 'S' }, path: '' },
      { type: 'reasoning', text: '', sealed: { protocol: 'anthropic-messages', value: 'E' }, path: '' },
      { type: 'reasoning', text: 'short', path: '' },
      { type: 'text', text: 'see', citations: [{ url: 'u', start: 0, end: 3 }], path: '' },
      { type: 'refusal', text: 'no', path: '' },
      {
        type: 'tool-call',
        id: 'c1',
        name: 'f',
        arguments: '{}',
        signature: { protocol: 'gemini-generate-content', value: 'G' },
        path: '',
      },
    ]);
    const content = [{ type: 'text', text: 'done', path: 'messages[1].content[0]' }];
    assert.deepEqual(tool?.content, [
      { type: 'tool-result', callId: 'c1', content, isError: false, path: 'messages[1]' },
    ]);
    const [plain] = say({ role: 'assistant', reasoning: 'so', content: 'x' });
    assert.deepEqual(plain?.content[0], { type: 'reasoning', text: 'so', path: 'messages[0].reasoning' });
  });

  test('carry cache marks in either spelling', () => {
    const [message] = say({
      role: 'user',
      content: [
        { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } },
        { type: 'text', text: 'b', prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } },
      ],
    });
    assert.deepEqual(
      message?.content.map(({ cacheMark }) => cacheMark),
      [
        { path: 'messages[0].content[0].cache_control', ttl: '1h' },
        { path: 'messages[0].content[1].prompt_cache_breakpoint', ttl: '30m', isBreakpoint: true },
      ],
    );
  });

  test('are refused by the name of what is wrong in them', () => {
    const message = (fields: object): object => ({ messages: [{ role: 'user', ...fields }] });
    const middle = "'prefix' and 'suffix' cannot be sent to this model's provider. Send 'messages'.";
    refuses({ messages: undefined, prefix: 'def f(' }, middle, 'messages');
    refuses({ messages: 'x' }, "'messages' must be an array.", 'messages');
    refuses({ messages: ['x'] }, "'messages[0]' must be an object.", 'messages[0]');
    const roles = "'messages[0].role' must be system, developer, user, assistant or tool.";
    refuses(message({ role: 'robot' }), roles, 'messages[0].role');
    const content = "'messages[0].content' must be a string or an array.";
    refuses(message({ content: { a: 1 } }), content, 'messages[0].content');
    const id = "'messages[0].tool_call_id' must be a string.";
    refuses(message({ role: 'tool', content: 'x' }), id, 'messages[0].tool_call_id');
    const calls = "'messages[0].tool_calls' must be an array.";
    refuses(message({ role: 'assistant', tool_calls: {} }), calls, 'messages[0].tool_calls');
    const file = "'messages[0].content[0].file' must have file_data or file_id.";
    refuses(message({ content: [{ type: 'file', file: {} }] }), file, 'messages[0].content[0].file');
    const named = 'messages[0].tool_calls[0].function.arguments';
    const call = { id: 'c', function: { name: 'f', arguments: {} } };
    refuses(message({ role: 'assistant', tool_calls: [call] }), `'${named}' must be a string.`, named);
  });
});

describe('settings of a chat request', () => {
  test('are read under their neutral names, also 0 and false', () => {
    const { settings, tools, showsUsage, stream } = read({
      max_tokens: 5,
      temperature: 0,
      top_p: 0,
      top_k: 3,
      stop: ['a', '', 'b'],
      seed: 0,
      presence_penalty: -1,
      frequency_penalty: 0,
      n: 2,
      parallel_tool_calls: false,
      reasoning_effort: 'minimal',
      user: 'u',
      metadata: { a: 'b' },
      service_tier: 'flex',
      verbosity: 'low',
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: { a: 1 }, strict: false } }],
      tool_choice: 'required',
      response_format: { type: 'json_object' },
      stream: true,
      stream_options: { include_usage: true },
    });
    assert.deepEqual(settings, {
      maxOutputTokens: 5,
      temperature: 0,
      topP: 0,
      topK: 3,
      stop: ['a', 'b'],
      seed: 0,
      presencePenalty: -1,
      frequencyPenalty: 0,
      choices: 2,
      parallelToolCalls: false,
      reasoning: { effort: 'minimal', isShown: true },
      user: 'u',
      metadata: { a: 'b' },
      serviceTier: 'flex',
      verbosity: 'low',
      toolChoice: { type: 'required' },
      format: { type: 'json' },
    });
    assert.deepEqual(tools, [{ name: 'f', description: 'd', parameters: { a: 1 }, strict: false, path: 'tools[0]' }]);
    assert.deepEqual([showsUsage, stream], [true, true]);
  });

  test('choose one tool, or among some, and name schemas', () => {
    const named = { type: 'function', function: { name: 'f' } };
    assert.deepEqual(read({ tool_choice: named }).settings.toolChoice, { type: 'tool', name: 'f' });
    const allowed = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [named, { type: 'mcp' }] } };
    const some = read({ tool_choice: allowed });
    assert.deepEqual(some.settings.toolChoice, { type: 'allowed', names: ['f'], mode: 'required' });
    assert.deepEqual(some.unknown, ['tool_choice.allowed_tools.tools[1]']);
    const json_schema = { name: 's', schema: { type: 'object' }, strict: true };
    assert.deepEqual(read({ response_format: { type: 'json_schema', json_schema } }).settings.format, {
      type: 'schema',
      ...json_schema,
    });
  });

  test('are named where the neutral form has no place for them, unless they ask for nothing', () => {
    const { unknown } = read({
      messages: [
        { role: 'user', name: 'ann', content: [{ type: 'hologram' }, { type: 'text', text: 'x', shade: 1 }] },
        { role: 'assistant', tool_calls: [{ type: 'spell', id: 'c' }] },
      ],
      tools: [{ type: 'web' }, { type: 'function', function: { name: 'f', colour: 1 } }],
      tool_choice: { type: 'spell' },
      response_format: { type: 'grammar' },
      reasoning_effort: 'colossal',
      prediction: {},
      logprobs: true,
      modalities: ['text', 'audio'],
    });
    assert.deepEqual(unknown.toSorted(), [
      'logprobs',
      'messages[0].content[0]',
      'messages[0].content[1].shade',
      'messages[0].name',
      'messages[1].tool_calls[0]',
      'modalities',
      'prediction',
      'reasoning_effort',
      'response_format',
      'tool_choice',
      'tools[0]',
      'tools[1].function.colour',
    ]);
    const nothing = { store: false, logprobs: false, top_logprobs: 0, logit_bias: {}, modalities: ['text'], n: 1 };
    assert.deepEqual(read({ ...nothing, response_format: { type: 'text' } }).unknown, []);
  });

  test('are named as the caller wrote them where they have two names', () => {
    assert.deepEqual(read({ safety_identifier: 's', user: 'u', max_completion_tokens: 9, max_tokens: 5 }).paths, {
      user: 'safety_identifier',
      maxOutputTokens: 'max_completion_tokens',
    });
    assert.deepEqual(read({ user: 'u', max_tokens: 5 }).paths, {});
  });

  test('may be of any type where only a text has a place, and are named then (spec 2.10)', () => {
    const { settings, unknown } = read({ safety_identifier: 42, service_tier: ['x'], modalities: { audio: true } });
    assert.deepEqual(settings, {});
    assert.deepEqual(unknown, ['modalities', 'safety_identifier', 'service_tier']);
  });

  test('are refused where they are of another kind', () => {
    refuses({ seed: 'x' }, "'seed' must be a number.", 'seed');
    refuses({ stop: [1] }, "'stop[0]' must be a string.", 'stop[0]');
    refuses({ user: 5 }, "'user' must be a string.", 'user');
    refuses({ tools: [{ type: 'function' }] }, "'tools[0].function' must be an object.", 'tools[0].function');
    const choice = "'tool_choice' must be auto, none, required or an object that names a function.";
    refuses({ tool_choice: 'any' }, choice, 'tool_choice');
    const schema = 'response_format.json_schema';
    refuses({ response_format: { type: 'json_schema' } }, `'${schema}' must be an object.`, schema);
  });
});

test('a caller who asks for reasoning is shown it, having no field to say so', () => {
  const reasoning = (effort?: string): unknown => read({ reasoning_effort: effort }).settings.reasoning;
  assert.deepEqual(reasoning('low'), { effort: 'low', isShown: true });
  assert.deepEqual(reasoning('none'), { effort: 'none' });
  assert.equal(reasoning(), undefined);
});
