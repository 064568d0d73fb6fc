import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '../../../neutral/conversation.ts';
import type { Generation } from '../../../neutral/generation.ts';
import { assertRefused } from '../../../testing/refusals.ts';
import { readGeneration } from './read-generation.ts';

const read = (fields: object): Generation =>
  readGeneration(Buffer.from(JSON.stringify({ model: 'm', input: 'hi', ...fields })));
const input = (...items: object[]): Message[] => read({ input: items }).messages;
const refuses = (fields: object, message: string, param: string): void =>
  assertRefused(() => read(fields), message, param);

describe('input of a responses request', () => {
  test('is a text, or items with the instructions before them', () => {
    const { messages } = read({ instructions: 'be brief' });
    assert.deepEqual(messages, [
      {
        role: 'system',
        content: [{ type: 'text', text: 'be brief', path: 'instructions' }],
        path: 'instructions',
      },
      { role: 'user', content: [{ type: 'text', text: 'hi', path: 'input' }], path: 'input' },
    ]);
    assert.deepEqual(
      input({ role: 'developer', content: 'a' }, { type: 'message', role: 'system', content: 'b' }).map(
        ({ role, isDeveloper }) => [role, isDeveloper],
      ),
      [
        ['system', true],
        ['system', undefined],
      ],
    );
  });

  test('is put together in turns: what the assistant did, then all results', () => {
    const messages = input(
      { role: 'user', content: 'go' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'E' },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'ok', annotations: [{ url: 'u' }] }],
      },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call', call_id: 'c2', name: 'g', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'one' },
      {
        type: 'function_call_output',
        call_id: 'c2',
        output: [{ type: 'input_image', image_url: 'https://x' }],
        status: 'incomplete',
      },
    );
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.deepEqual(messages[1]?.content, [
      {
        type: 'reasoning',
        text: 'hm',
        path: 'input[1]',
        signature: { protocol: 'openai-responses', value: 'rs_1:E' },
      },
      { type: 'text', text: 'ok', citations: [{ url: 'u' }], path: 'input[2].content[0]' },
      { type: 'tool-call', id: 'c1', name: 'f', arguments: '{}', path: 'input[3]' },
      { type: 'tool-call', id: 'c2', name: 'g', arguments: '{}', path: 'input[4]' },
    ]);
    const source = { by: 'url', url: 'https://x' };
    assert.deepEqual(messages[2]?.content, [
      {
        type: 'tool-result',
        callId: 'c1',
        content: [{ type: 'text', text: 'one', path: 'input[5].output' }],
        isError: false,
        path: 'input[5]',
      },
      {
        type: 'tool-result',
        callId: 'c2',
        content: [{ type: 'media', kind: 'image', source, path: 'input[6].output[0]' }],
        isError: true,
        path: 'input[6]',
      },
    ]);
  });

  test('has the proofs of other protocols as they were', () => {
    const item = (encrypted_content: string): object => ({ type: 'reasoning', summary: [], encrypted_content });
    const [turn] = input(item('tg1.gemini-generate-content.G'), item('tg1s.anthropic-messages.R'));
    assert.deepEqual(turn?.content, [
      { type: 'reasoning', text: '', signature: { protocol: 'gemini-generate-content', value: 'G' }, path: 'input[0]' },
      { type: 'reasoning', text: '', sealed: { protocol: 'anthropic-messages', value: 'R' }, path: 'input[1]' },
    ]);
  });

  test('has media by address, bytes and id', () => {
    const [message] = input({
      role: 'user',
      content: [
        { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'low' },
        { type: 'input_image', file_id: 'f1' },
        { type: 'input_file', file_url: 'https://x' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' },
        { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
      ],
    });
    assert.deepEqual(
      message?.content.map((part) => part.type === 'media' && [part.kind, part.source.by]),
      [
        ['image', 'data'],
        ['image', 'id'],
        ['file', 'url'],
        ['file', 'data'],
        ['audio', 'data'],
      ],
    );
  });

  test('is refused by the name of what is wrong in it', () => {
    const one = (item: unknown): object => ({ input: [item] });
    refuses(one('x'), "'input[0]' must be an object.", 'input[0]');
    const roles = "'input[0].role' must be user, assistant, system or developer.";
    refuses(one({ role: 'tool', content: 'x' }), roles, 'input[0].role');
    refuses(one({ type: 'function_call', call_id: 'c' }), "'input[0].name' must be a string.", 'input[0].name');
    const image = "'input[0].content[0]' must have image_url or file_id.";
    const position = 'input[0].content[0].image_url';
    refuses(one({ role: 'user', content: [{ type: 'input_image' }] }), image, position);
    const file = "'input[0].content[0]' must have file_data, file_url or file_id.";
    refuses(one({ role: 'user', content: [{ type: 'input_file' }] }), file, 'input[0].content[0].file_data');
  });

  test('is refused where part of it is kept by another provider', () => {
    for (const name of ['previous_response_id', 'conversation', 'prompt']) {
      const message = `'${name}' cannot be sent to this model's provider. Send the whole input instead.`;
      refuses({ [name]: name === 'prompt' ? { id: 'p' } : 'x' }, message, name);
    }
  });
});

describe('settings of a responses request', () => {
  test('are read under their neutral names', () => {
    const { settings, tools, showsUsage } = read({
      max_output_tokens: 9,
      temperature: 0,
      top_p: 1,
      parallel_tool_calls: false,
      text: { format: { type: 'json_schema', name: 's', schema: { a: 1 }, strict: false }, verbosity: 'high' },
      reasoning: { effort: 'low', summary: 'auto' },
      user: 'u',
      metadata: { a: 'b' },
      service_tier: 'flex',
      tools: [{ type: 'function', name: 'f', parameters: null, strict: true }],
      tool_choice: { type: 'function', name: 'f' },
    });
    assert.deepEqual(settings, {
      maxOutputTokens: 9,
      temperature: 0,
      topP: 1,
      parallelToolCalls: false,
      format: { type: 'schema', name: 's', schema: { a: 1 }, strict: false },
      verbosity: 'high',
      reasoning: { effort: 'low', isShown: true },
      user: 'u',
      metadata: { a: 'b' },
      serviceTier: 'flex',
      toolChoice: { type: 'tool', name: 'f' },
    });
    assert.deepEqual(tools, [{ name: 'f', strict: true, path: 'tools[0]' }]);
    assert.equal(showsUsage, true);
    const allowed = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] };
    const some = { type: 'allowed', names: ['f'], mode: 'auto' };
    assert.deepEqual(read({ tool_choice: allowed }).settings.toolChoice, some);
  });

  test('are named where nobody else can fulfil them, unless they ask for nothing', () => {
    const { unknown } = read({
      input: [
        { type: 'item_reference', id: 'x' },
        { role: 'user', content: 'x', phase: 'commentary' },
      ],
      store: true,
      background: true,
      truncation: 'auto',
      include: ['reasoning.encrypted_content', 'file_search_call.results'],
      reasoning: { effort: 'vast', context: 'x' },
      text: { colour: 1 },
      tools: [{ type: 'web_search' }, { type: 'function', name: 'f', defer_loading: true }],
      tool_choice: { type: 'mcp' },
      max_tool_calls: 3,
    });
    assert.deepEqual(unknown.toSorted(), [
      'background',
      'include[1]',
      'input[0]',
      'input[1].phase',
      'max_tool_calls',
      'reasoning.context',
      'reasoning.effort',
      'store',
      'text.colour',
      'tool_choice',
      'tools[0]',
      'tools[1].defer_loading',
      'truncation',
    ]);
    const nothing = { store: false, background: false, truncation: 'disabled', top_logprobs: 0, include: [] };
    assert.deepEqual(read({ ...nothing, previous_response_id: null }).unknown, []);
  });

  test('are refused where they are of another kind', () => {
    refuses({ text: { verbosity: 1 } }, "'text.verbosity' must be a string.", 'text.verbosity');
    refuses({ reasoning: { effort: 3 } }, "'reasoning.effort' must be a string.", 'reasoning.effort');
    refuses({ tools: [{ type: 'function' }] }, "'tools[0].name' must be a string.", 'tools[0].name');
    refuses({ text: { format: 'json' } }, "'text.format' must be an object.", 'text.format');
  });
});
