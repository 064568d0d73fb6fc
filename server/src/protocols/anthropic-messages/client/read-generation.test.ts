import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Generation } from '../../../neutral/generation.ts';
import { assertRefused } from '../../../testing/refusals.ts';
import { readMessages } from '../index.ts';

const USER = { role: 'user', content: 'hi' };
function read(more: object): Generation {
  const body = { model: 'm', max_tokens: 100, messages: [USER], ...more };
  const generation = readMessages(Buffer.from(JSON.stringify(body))).readGeneration?.();
  assert.ok(generation !== undefined);
  return generation;
}
const conversation = (role: string, ...content: object[]): Generation => read({ messages: [{ role, content }] });
const refuses = (more: object, message: string, param: string): void => assertRefused(() => read(more), message, param);

describe('the conversation of a request', () => {
  test('begins with its system prompt, whose blocks keep their marks', () => {
    const { messages } = read({
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    });
    const cacheMark = { ttl: '1h', path: 'system[0].cache_control' };
    assert.deepEqual(messages, [
      { role: 'system', path: 'system', content: [{ type: 'text', text: 'Be brief.', path: 'system[0]', cacheMark }] },
      { role: 'user', path: 'messages[0]', content: [{ type: 'text', text: 'hi', path: 'messages[0].content' }] },
    ]);
    assert.deepEqual(read({ system: 'x' }).messages[0]?.content, [{ type: 'text', text: 'x', path: 'system' }]);
    const late = read({ messages: [USER, { role: 'system', content: 'now' }] }).messages[1];
    assert.deepEqual([late?.role, late?.path], ['system', 'messages[1]']);
  });

  test('holds images and documents in all their forms', () => {
    const { messages, unknown } = conversation(
      'user',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'image', source: { type: 'url', url: 'https://x/i.png' } },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
      { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
      {
        type: 'document',
        source: {
          type: 'content',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      },
      { type: 'search_result', source: 'https://s', title: 'S', content: [{ type: 'text', text: 'found' }] },
    );
    const sources = messages[0]?.content.map((part) => (part.type === 'media' ? [part.kind, part.source] : part));
    assert.deepEqual(sources, [
      ['image', { by: 'data', data: 'AAAA', mediaType: 'image/png' }],
      ['image', { by: 'url', url: 'https://x/i.png' }],
      ['file', { by: 'id', id: 'file_1' }],
      ['file', { by: 'text', text: 'words', mediaType: 'text/plain' }],
      ['file', { by: 'text', text: 'a\n\nb', mediaType: 'text/plain' }],
      ['file', { by: 'text', text: 'found', mediaType: 'text/plain' }],
    ]);
    assert.deepEqual(unknown, []);
  });

  test('has results of tools as messages of their own, with errors and images', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://x/i.png' } };
    const { messages } = conversation(
      'user',
      { type: 'tool_result', tool_use_id: 'a', content: 'sunny' },
      { type: 'tool_result', tool_use_id: 'b', content: [image], is_error: true },
      { type: 'text', text: 'and now?' },
    );
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['tool', 'user'],
    );
    const [first, second] = messages[0]?.content ?? [];
    const path = 'messages[0].content[0]';
    const content = [{ type: 'text', text: 'sunny', path: `${path}.content` }];
    assert.deepEqual(first, { type: 'tool-result', callId: 'a', content, isError: false, path });
    assert.ok(second?.type === 'tool-result' && second.isError && second.content[0]?.type === 'media');
  });

  test('has calls and thoughts of the assistant, with the signatures of their makers', () => {
    const { messages } = conversation(
      'assistant',
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'thinking', thinking: '', signature: 'tg1.gemini-generate-content.abc' },
      { type: 'thinking', thinking: 'unsigned', signature: '' },
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 }, caller: { type: 'direct' } },
    );
    const parts = messages[0]?.content.map((part) => ({ ...part, path: '' }));
    assert.deepEqual(parts, [
      { type: 'reasoning', text: 'hm', signature: { protocol: 'anthropic-messages', value: 'sig' }, path: '' },
      { type: 'reasoning', text: '', signature: { protocol: 'gemini-generate-content', value: 'abc' }, path: '' },
      { type: 'reasoning', text: 'unsigned', path: '' },
      { type: 'reasoning', text: '', sealed: { protocol: 'anthropic-messages', value: 'xyz' }, path: '' },
      { type: 'tool-call', id: 'a', name: 'f', arguments: '{"x":1}', path: '' },
    ]);
  });

  test('keeps citations, and a mark on the whole request stands on its last block', () => {
    const citations = [{ type: 'char_location', cited_text: 'q', document_title: 'T', document_index: 0 }];
    const text = conversation('assistant', { type: 'text', text: 'x', citations }).messages[0]?.content[0];
    assert.deepEqual(text?.type === 'text' && text.citations, [{ title: 'T', quote: 'q' }]);
    const marked = read({ cache_control: { type: 'ephemeral' } }).messages[0]?.content[0];
    assert.deepEqual(marked?.cacheMark, { path: 'cache_control' });
  });

  test('is refused where a block is broken or misplaced', () => {
    const block = (role: string, value: unknown) => ({ messages: [{ role, content: [value] }] });
    const at = 'messages[0].content[0]';
    refuses(
      { messages: [{ role: 'tool', content: 'x' }] },
      "'messages[0].role' must be 'user', 'assistant' or 'system'.",
      'messages[0].role',
    );
    refuses(block('user', 'x'), `'${at}' must be an object.`, at);
    refuses(block('user', {}), `'${at}.type' must be a string.`, `${at}.type`);
    refuses(block('user', { type: 'text' }), `'${at}.text' must be a string.`, `${at}.text`);
    refuses(block('user', { type: 'image' }), `'${at}.source' must be an object.`, `${at}.source`);
    refuses(
      block('user', { type: 'image', source: { type: 'ftp' } }),
      `'${at}.source.type' is not one that is known here.`,
      `${at}.source.type`,
    );
    const use = { type: 'tool_use', id: 'a', name: 'f', input: {} };
    refuses(block('user', use), `'${at}' may only stand in a message of the assistant.`, at);
    refuses(block('assistant', { ...use, input: 'x' }), `'${at}.input' must be an object.`, `${at}.input`);
    const result = { type: 'tool_result', tool_use_id: 'a' };
    refuses(block('assistant', result), `'${at}' may only stand in a message of the user.`, at);
    refuses(
      block('user', { ...result, content: [use] }),
      `'${at}.content[0]' may not stand in a tool's result.`,
      `${at}.content[0]`,
    );
    refuses(
      { system: [{ type: 'image', source: { type: 'url', url: 'x' } }] },
      "'system[0].type' must be 'text'.",
      'system[0].type',
    );
  });
});

describe('the settings of a request', () => {
  test('are read', () => {
    const { settings, unknown } = read({
      temperature: 0,
      top_p: 0.5,
      top_k: 4,
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
      service_tier: 'standard_only',
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    assert.deepEqual(settings, {
      maxOutputTokens: 100,
      temperature: 0,
      topP: 0.5,
      topK: 4,
      stop: ['END'],
      user: 'u',
      serviceTier: 'default',
      format: { type: 'schema', schema: { type: 'object' }, strict: true },
      toolChoice: { type: 'required' },
      parallelToolCalls: false,
    });
    assert.deepEqual(unknown, []);
    const former = read({ output_format: { type: 'json_schema', schema: {} }, stop_sequences: [] }).settings;
    assert.deepEqual([former.format?.type, former.stop], ['schema', undefined]);
  });

  test('say how hard to think', () => {
    const reasoning = (thinking: object | undefined, effort?: string) =>
      read({ thinking, output_config: { effort } }).settings.reasoning;
    assert.deepEqual(reasoning({ type: 'enabled', budget_tokens: 2000 }), { budget: 2000, isShown: true });
    assert.deepEqual(reasoning({ type: 'adaptive', display: 'omitted' }, 'max'), {
      budget: -1,
      effort: 'max',
      isShown: false,
    });
    assert.deepEqual(reasoning(undefined, 'low'), { effort: 'low' });
    assert.equal(reasoning(undefined), undefined);
    const off = read({ thinking: { type: 'disabled' }, output_config: { effort: 'low' } });
    assert.deepEqual([off.settings.reasoning, off.unknown], [{ effort: 'none' }, ['output_config.effort']]);
  });

  test('are refused when they are not what they must be', () => {
    refuses({ stop_sequences: [1] }, "'stop_sequences[0]' must be a string.", 'stop_sequences[0]');
    refuses(
      { thinking: { type: 'on' } },
      "'thinking.type' must be 'enabled', 'adaptive' or 'disabled'.",
      'thinking.type',
    );
    refuses(
      { thinking: { type: 'enabled' } },
      "'thinking.budget_tokens' must be a whole number of at least 1.",
      'thinking.budget_tokens',
    );
    refuses(
      { output_config: { format: { type: 'xml' } } },
      "'output_config.format.type' must be 'json_schema'.",
      'output_config.format.type',
    );
    refuses(
      { tool_choice: { type: 'x' } },
      "'tool_choice.type' must be 'auto', 'any', 'tool' or 'none'.",
      'tool_choice.type',
    );
    refuses({ tools: [{ name: 'f' }] }, "'tools[0].input_schema' must be an object.", 'tools[0].input_schema');
  });

  test('offer tools; those that the provider runs itself are named as unknown', () => {
    const tool = { name: 'f', description: 'does', input_schema: { type: 'object' }, strict: true };
    const { tools, unknown } = read({
      tools: [
        { ...tool, cache_control: { type: 'ephemeral' }, defer_loading: true },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
    });
    const cacheMark = { path: 'tools[0].cache_control' };
    const neutral = { name: 'f', description: 'does', parameters: { type: 'object' }, strict: true };
    assert.deepEqual(tools, [{ ...neutral, cacheMark, path: 'tools[0]' }]);
    assert.deepEqual(unknown, ['tools[0].defer_loading', 'tools[1]']);
  });
});

test('what the neutral form has no place for is listed in the words of the caller', () => {
  const { unknown } = read({
    container: 'c',
    inference_geo: null,
    metadata: { user_id: 'u', team: 'x' },
    messages: [
      {
        role: 'user',
        content: [{ type: 'document', source: { type: 'url', url: 'u' }, citations: { enabled: true } }],
      },
      { role: 'assistant', content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }], name: 'n' },
    ],
  });
  assert.deepEqual(unknown.toSorted(), [
    'container',
    'messages[0].content[0].citations',
    'messages[1].content[0]',
    'messages[1].name',
    'metadata.team',
  ]);
});
