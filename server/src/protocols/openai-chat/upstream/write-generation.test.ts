import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message, Part, ToolResultPart } from '../../../neutral/conversation.ts';
import { Dropped } from '../../../neutral/dropped.ts';
import type { Generation } from '../../../neutral/generation.ts';
import { writeGeneration } from './write-generation.ts';

const text = (value: string): Part => ({ type: 'text', text: value, path: 'p' });
const message = (role: Message['role'], ...content: Part[]): Message => ({ role, content, path: 'm' });

interface Written {
  body: Record<string, unknown> & { messages: unknown[] };
  dropped: readonly string[];
}
function write(given: Partial<Generation>, dropFields: string[] = []): Written {
  const base = { model: 'm', stream: false, messages: [message('user', text('hi'))], tools: [], settings: {} };
  const dropped = new Dropped({ stop: 'stop_sequences', serviceTier: 'tier' });
  const generation = { ...base, showsUsage: false, unknown: [], ...given };
  const bytes = writeGeneration(generation, { upstreamModel: 'up', dropFields, defaultMaxOutput: 99, dropped });
  return { body: JSON.parse(bytes.toString()) as Written['body'], dropped: dropped.paths };
}
const say = (...messages: Message[]): unknown[] => write({ messages }).body.messages;

describe('a conversation as chat messages', () => {
  test('keeps system and developer prompts where they stand, and plain text as a string', () => {
    assert.deepEqual(
      say(message('system', text('a')), message('user', text('b')), {
        ...message('system', text('c'), text('d')),
        isDeveloper: true,
      }),
      [
        { role: 'system', content: 'a' },
        { role: 'user', content: 'b' },
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'c' },
            { type: 'text', text: 'd' },
          ],
        },
      ],
    );
  });

  test('leaves out what says nothing, but never the turn of a user or an assistant', () => {
    assert.deepEqual(say(message('system'), message('user'), message('assistant'), message('user', text(''))), [
      { role: 'user', content: '' },
      { role: 'assistant', content: '' },
      { role: 'user', content: '' },
    ]);
  });

  test('has media by address and by bytes, and names what it cannot send', () => {
    const media = (fields: object): Part => ({ type: 'media', kind: 'file', path: 'p.x', ...fields }) as Part;
    const data = { by: 'data', data: 'AA', mediaType: 'application/pdf' };
    const { body, dropped } = write({
      messages: [
        message(
          'user',
          media({ kind: 'image', source: { by: 'url', url: 'https://x' }, detail: 'low' }),
          media({ kind: 'image', source: { by: 'data', data: 'AA', mediaType: 'image/png' } }),
          media({ kind: 'audio', source: { by: 'data', data: 'AA', mediaType: 'audio/x-wav' } }),
          media({ kind: 'video', source: { by: 'url', url: 'https://v' } }),
          media({ source: data, title: 'Notes' }),
          media({ source: { ...data, mediaType: 'text/csv' } }),
          media({ source: { by: 'id', id: 'f1' }, title: 'T', path: 'id' }),
          media({ source: { by: 'text', text: 'words', mediaType: 'text/plain' }, title: 'Diary' }),
          media({ source: { by: 'url', url: 'https://f' }, path: 'url' }),
          media({ kind: 'image', source: { by: 'id', id: 'i' }, path: 'image' }),
        ),
      ],
    });
    assert.deepEqual(body.messages, [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'https://x', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
          { type: 'video_url', video_url: { url: 'https://v' } },
          { type: 'file', file: { filename: 'Notes.pdf', file_data: 'data:application/pdf;base64,AA' } },
          { type: 'file', file: { filename: 'document.csv', file_data: 'data:text/csv;base64,AA' } },
          { type: 'file', file: { file_id: 'f1' } },
          { type: 'text', text: 'Diary\n\nwords' },
        ],
      },
    ]);
    assert.deepEqual(dropped, ['id.title', 'url', 'image']);
  });

  test('has calls, refusals and only its own proofs', () => {
    const own = (value: string) => ({ protocol: 'openai-chat', value });
    const foreign = { protocol: 'anthropic-messages', value: 'S' };
    const call: Part = { type: 'tool-call', id: 'c', name: 'f', arguments: '{"a":1}', path: 'p' };
    assert.deepEqual(
      say(
        message(
          'assistant',
          { type: 'reasoning', text: 'mine', signature: own('R'), path: 'p' },
          { type: 'reasoning', text: '', sealed: own('E'), path: 'p' },
          { type: 'reasoning', text: 'theirs', signature: foreign, path: 'p' },
          { ...call, signature: own('call:G') },
          { type: 'reasoning', text: '', signature: own('call:H'), path: 'p' },
          { ...call, id: 'd' },
          { ...call, id: 'e', arguments: '', signature: foreign },
          { type: 'refusal', text: 'no', path: 'p' },
        ),
      ),
      [
        {
          role: 'assistant',
          content: null,
          refusal: 'no',
          reasoning_details: [
            { type: 'reasoning.text', text: 'mine', signature: 'R' },
            { type: 'reasoning.encrypted', data: 'E' },
          ],
          tool_calls: [
            {
              id: 'c',
              type: 'function',
              function: { name: 'f', arguments: '{"a":1}' },
              extra_content: { google: { thought_signature: 'G' } },
            },
            {
              id: 'd',
              type: 'function',
              function: { name: 'f', arguments: '{"a":1}' },
              extra_content: { google: { thought_signature: 'H' } },
            },
            { id: 'e', type: 'function', function: { name: 'f', arguments: '{}' } },
          ],
        },
      ],
    );
  });

  test('tells results one by one, errors as such, and their media after all of them', () => {
    const image = { type: 'media', kind: 'image', source: { by: 'url', url: 'https://x' }, path: 'p' } as const;
    const result = (callId: string, fields: Partial<ToolResultPart>): Part => ({
      type: 'tool-result',
      callId,
      content: [],
      isError: false,
      path: 'p',
      ...fields,
    });
    assert.deepEqual(
      say(
        message(
          'tool',
          result('a', { content: [image] }),
          result('b', { isError: true, content: [text('x') as never] }),
        ),
        message('tool', result('c', {})),
        message('user', text('go on')),
      ),
      [
        { role: 'tool', tool_call_id: 'a', content: 'See the following message.' },
        { role: 'tool', tool_call_id: 'b', content: 'Error: x' },
        { role: 'tool', tool_call_id: 'c', content: '' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'From the result of tool call a:' },
            { type: 'image_url', image_url: { url: 'https://x' } },
          ],
        },
        { role: 'user', content: 'go on' },
      ],
    );
  });

  test('sends breakpoints of the prompt cache as they came, and names other marks wherever they stand', () => {
    const mark = (path: string, isBreakpoint?: true) => ({
      cacheMark: { path, ...(isBreakpoint && { isBreakpoint }) },
    });
    const inner = { type: 'text', text: 'r', path: 'p', ...mark('inner') } as const;
    const { body, dropped } = write({
      messages: [
        message('user', { ...text('a'), ...mark('one', true) }, { ...text('b'), ...mark('two') }),
        message('tool', {
          type: 'tool-result',
          callId: 'c',
          content: [inner],
          isError: false,
          path: 'p',
          ...mark('outer'),
        }),
        message('assistant', { type: 'refusal', text: 'n', path: 'p', ...mark('three', true) }),
      ],
      tools: [{ name: 'f', path: 't', ...mark('tool') }],
    });
    assert.deepEqual(body.messages[0], {
      role: 'user',
      content: [
        { type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
        { type: 'text', text: 'b' },
      ],
    });
    assert.deepEqual(dropped.toSorted(), ['inner', 'outer', 'three', 'tool', 'two']);
  });
});

describe('settings of a chat request', () => {
  const tools = [{ name: 'f', parameters: { type: 'object' }, strict: true, path: 't' }];

  test('are written under the names of this protocol', () => {
    const { body, dropped } = write({
      stream: true,
      tools,
      settings: {
        maxOutputTokens: 5,
        temperature: 0,
        topP: 0.5,
        topK: 2,
        stop: ['a'],
        seed: 0,
        presencePenalty: 1,
        frequencyPenalty: 0,
        parallelToolCalls: false,
        user: 'u',
        metadata: { a: 'b' },
        serviceTier: 'standard_only',
        verbosity: 'low',
        reasoning: { budget: 3000 },
        toolChoice: { type: 'allowed', names: ['f'], mode: 'auto' },
        format: { type: 'schema', schema: { type: 'object' }, strict: true },
      },
    });
    assert.deepEqual(body, {
      model: 'up',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: true } }],
      max_completion_tokens: 5,
      temperature: 0,
      top_p: 0.5,
      top_k: 2,
      stop: ['a'],
      seed: 0,
      presence_penalty: 1,
      frequency_penalty: 0,
      parallel_tool_calls: false,
      safety_identifier: 'u',
      metadata: { a: 'b' },
      service_tier: 'default',
      verbosity: 'low',
      reasoning_effort: 'medium',
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
      },
      stream: true,
      stream_options: { include_usage: true },
    });
    assert.deepEqual(dropped, []);
  });

  test('that this protocol cannot express are named', () => {
    const settings = { choices: 2, stop: ['a', 'b', 'c', 'd', 'e'], serviceTier: 'golden' };
    const { body, dropped } = write({ settings });
    assert.deepEqual(dropped, ['choices', 'stop_sequences', 'tier']);
    assert.deepEqual(body['stop'], ['a', 'b', 'c', 'd']);
  });

  test('that choose among tools go with the tools', () => {
    const none = write({ settings: { toolChoice: { type: 'none' }, parallelToolCalls: true } });
    assert.deepEqual(
      [none.body['tool_choice'], none.body['parallel_tool_calls'], none.dropped.length],
      [undefined, undefined, 0],
    );
    assert.deepEqual(write({ settings: { toolChoice: { type: 'required' } } }).dropped, ['toolChoice']);
    const one = write({ tools, settings: { toolChoice: { type: 'tool', name: 'f' } } });
    assert.deepEqual(one.body['tool_choice'], { type: 'function', function: { name: 'f' } });
  });

  test('ask for JSON only where the conversation speaks of it, as the real service demands', () => {
    const { body } = write({ settings: { format: { type: 'json' } } });
    assert.deepEqual(body.messages[0], { role: 'system', content: 'Answer with one JSON object and nothing else.' });
    const spoken = write({ settings: { format: { type: 'json' } }, messages: [message('user', text('as json'))] });
    assert.equal(spoken.body.messages.length, 1);
  });

  test('shorten an identifier that is too long to one that is as good', () => {
    const long = (end: string): unknown =>
      write({ settings: { user: 'u'.repeat(70) + end } }).body['safety_identifier'];
    assert.match(String(long('a')), /^[0-9a-f]{64}$/);
    assert.notEqual(long('a'), long('b'));
  });

  test('that the channel filters out are left out, but never what makes the request', () => {
    const { body } = write({ settings: { topK: 1, seed: 1 } }, ['top_k', 'messages', 'model']);
    assert.deepEqual(Object.keys(body), ['model', 'messages', 'seed']);
  });
});
