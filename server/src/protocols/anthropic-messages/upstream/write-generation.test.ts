import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message, Part } from '../../../neutral/conversation.ts';
import { Dropped } from '../../../neutral/dropped.ts';
import type { Generation, Settings, Tool } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json-value.ts';
import { writeGeneration } from './write-generation.ts';

const text = (said: string): Part => ({ type: 'text', text: said, path: 'p' });
const message = (role: Message['role'], ...content: Part[]): Message => ({ role, content, path: 'm' });
const HELLO = message('user', text('hi'));
const SETTING_PATHS = { temperature: 'temperature', reasoning: 'reasoning_effort', toolChoice: 'tool_choice' };

interface Written {
  body: JsonRecord;
  dropped: readonly string[];
}

function write(given: Partial<Generation>, upstreamModel = 'claude-sonnet-4-5', dropFields: string[] = []): Written {
  const base = {
    model: 'm',
    stream: false,
    messages: [HELLO],
    tools: [],
    settings: {},
    showsUsage: false,
    unknown: [],
  };
  const dropped = new Dropped(SETTING_PATHS);
  const bytes = writeGeneration({ ...base, ...given }, { upstreamModel, dropFields, defaultMaxOutput: 4096, dropped });
  return { body: JSON.parse(bytes.toString()) as JsonRecord, dropped: dropped.paths };
}
const set = (settings: Settings, model?: string): Written => write({ settings }, model);
const say = (...messages: Message[]): Written => write({ messages });
const call = (id: string): Part => ({ type: 'tool-call', id, name: 'f', arguments: '{"x":1}', path: 'p' });
const result = (callId: string, more: object = {}): Part => ({
  type: 'tool-result',
  callId,
  content: [{ type: 'text', text: 'ok', path: 'p' }],
  isError: false,
  path: 'p',
  ...more,
});
const TOOL: Tool = { name: 'f', parameters: { type: 'object', properties: {} }, path: 'tools[0]' };

describe('the conversation', () => {
  test('is written with the required limit and nothing that was not asked for', () => {
    assert.deepEqual(write({ stream: true }).body, {
      model: 'claude-sonnet-4-5',
      max_tokens: 4096,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      stream: true,
    });
  });

  test('has its instructions apart, wherever they stood, and its roles in turn', () => {
    const { body } = say(
      message('system', text('one')),
      HELLO,
      message('user', text('there')),
      message('system', text('two')),
      message('assistant', text('a')),
      message('assistant', text('b')),
      message('user', text(' '), text('c')),
    );
    assert.deepEqual(body['system'], [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ]);
    const turn = (role: string, ...texts: string[]) => ({
      role,
      content: texts.map((said) => ({ type: 'text', text: said })),
    });
    assert.deepEqual(body['messages'], [turn('user', 'hi', 'there'), turn('assistant', 'a', 'b'), turn('user', 'c')]);
  });

  test('begins with the user even when the caller did not', () => {
    for (const messages of [[message('system', text('x'))], [message('assistant', text('x')), HELLO]]) {
      const [first] = write({ messages }).body['messages'] as JsonRecord[];
      assert.deepEqual(first, { role: 'user', content: [{ type: 'text', text: 'Continue.' }] });
    }
  });

  test('may end with an answer that was begun, where the model takes that', () => {
    const messages = [HELLO, message('assistant', text('So: '))];
    const last = (model: string): unknown => (write({ messages }, model).body['messages'] as JsonRecord[]).at(-1);
    assert.deepEqual(last('claude-sonnet-4-5'), { role: 'assistant', content: [{ type: 'text', text: 'So:' }] });
    assert.deepEqual(last('claude-opus-4-7'), { role: 'user', content: [{ type: 'text', text: 'Continue.' }] });
  });

  test('has results first in the turn after their calls, with errors, and ids that are taken', () => {
    const image: Part = { type: 'media', kind: 'image', source: { by: 'url', url: 'https://i' }, path: 'p' };
    const { body } = write({
      tools: [TOOL],
      messages: [
        HELLO,
        message('assistant', call('call.1'), call('call:1')),
        message('user', text('wait')),
        message(
          'tool',
          result('call.1'),
          result('call:1', { isError: true, content: [image, { type: 'text', text: 'bad', path: 'p' }] }),
        ),
      ],
    });
    const [, calls, results] = body['messages'] as { content: JsonRecord[] }[];
    assert.deepEqual(calls?.content, [
      { type: 'tool_use', id: 'call_1', name: 'f', input: { x: 1 } },
      { type: 'tool_use', id: 'call_1_2', name: 'f', input: { x: 1 } },
    ]);
    assert.deepEqual(results?.content, [
      { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'ok' }] },
      { type: 'tool_result', tool_use_id: 'call_1_2', content: [{ type: 'text', text: 'bad' }], is_error: true },
      { type: 'text', text: 'wait' },
      { type: 'image', source: { type: 'url', url: 'https://i' } },
    ]);
  });

  test('shows the model only its own thoughts', () => {
    const own = { protocol: 'anthropic-messages', value: 's' };
    const foreign = { protocol: 'openai-responses', value: 's' };
    const { body, dropped } = say(
      HELLO,
      message(
        'assistant',
        { type: 'reasoning', text: 'mine', signature: own, path: 'p' },
        { type: 'reasoning', text: '', sealed: own, path: 'p' },
        { type: 'reasoning', text: 'theirs', signature: foreign, path: 'p' },
        { type: 'reasoning', text: 'unsigned', path: 'p' },
        { type: 'refusal', text: 'No.', path: 'p' },
      ),
      HELLO,
    );
    assert.deepEqual((body['messages'] as JsonRecord[])[1]?.['content'], [
      { type: 'thinking', thinking: 'mine', signature: 's' },
      { type: 'redacted_thinking', data: 's' },
      { type: 'text', text: 'No.' },
    ]);
    assert.deepEqual(dropped, []);
  });

  test('keeps cache marks of texts, results and tools', () => {
    const cacheMark = { ttl: '1h', path: 'x' };
    const { body } = write({
      tools: [{ ...TOOL, cacheMark: { path: 'x' } }],
      messages: [message('user', { ...text('hi'), cacheMark })],
    });
    const block = { type: 'text', text: 'hi', cache_control: { type: 'ephemeral', ttl: '1h' } };
    assert.deepEqual(body['messages'], [{ role: 'user', content: [block] }]);
    assert.deepEqual((body['tools'] as JsonRecord[])[0]?.['cache_control'], { type: 'ephemeral' });
  });
});

describe('media', () => {
  const media = (kind: 'image' | 'audio' | 'video' | 'file', source: object, more: object = {}): Written =>
    say(message('user', text('see'), { type: 'media', kind, source, path: 'messages[0].content[1]', ...more } as Part));
  const block = (written: Written): unknown => (written.body['messages'] as { content: JsonRecord[] }[])[0]?.content[1];

  test('are written as images and documents', () => {
    assert.deepEqual(block(media('image', { by: 'data', data: 'AA==', mediaType: 'image/jpg' })), {
      type: 'image',
      source: { type: 'base64', media_type: 'image/jpeg', data: 'AA==' },
    });
    assert.deepEqual(block(media('image', { by: 'url', url: 'data:image/png;base64,AA==' })), {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AA==' },
    });
    assert.deepEqual(
      block(media('file', { by: 'data', data: 'AA==', mediaType: 'application/pdf' }, { filename: 'a.pdf' })),
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' },
        title: 'a.pdf',
      },
    );
    const words = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hé' } };
    const data = Buffer.from('hé').toString('base64');
    assert.deepEqual(block(media('file', { by: 'data', data, mediaType: 'text/csv; charset=utf-8' })), words);
    assert.deepEqual(block(media('file', { by: 'text', text: 'hé', mediaType: 'text/plain' })), words);
    assert.deepEqual(block(media('file', { by: 'url', url: 'https://x/a.pdf' })), {
      type: 'document',
      source: { type: 'url', url: 'https://x/a.pdf' },
    });
  });

  test('without a place are named and left out', () => {
    const cases = [
      media('audio', { by: 'data', data: 'AA==', mediaType: 'audio/wav' }),
      media('video', { by: 'url', url: 'https://v' }),
      media('image', { by: 'data', data: 'AA==', mediaType: 'image/tiff' }),
      media('image', { by: 'id', id: 'file-1' }),
      media('file', { by: 'data', data: 'AA==', mediaType: 'application/zip' }),
    ];
    for (const written of cases) {
      assert.equal(block(written), undefined);
      assert.deepEqual(written.dropped, ['messages[0].content[1]']);
    }
    const detailed = media('image', { by: 'url', url: 'https://i' }, { detail: 'low' });
    assert.deepEqual(detailed.dropped, ['messages[0].content[1].detail']);
    assert.deepEqual(media('image', { by: 'url', url: 'https://i' }, { detail: 'auto' }).dropped, []);
  });
});

describe('tools', () => {
  const choose = (settings: Settings, tools: Tool[] = [TOOL]): Written => write({ tools, settings });

  test('are offered with an object schema, and strictly where the model can', () => {
    const bare: Tool = { name: 'g', description: 'does', path: 'tools[1]' };
    const strict: Tool = { ...TOOL, strict: true };
    assert.deepEqual(write({ tools: [strict, bare] }).body['tools'], [
      { name: 'f', input_schema: { type: 'object', properties: {}, additionalProperties: false }, strict: true },
      { name: 'g', description: 'does', input_schema: { type: 'object', properties: {} } },
    ]);
    const old = write({ tools: [strict] }, 'claude-3-7-sonnet-latest');
    assert.deepEqual(old.dropped, ['tools[0].strict']);
    assert.deepEqual(old.body['tools'], [{ name: 'f', input_schema: { type: 'object', properties: {} } }]);
  });

  test('are chosen as asked', () => {
    const chosen = (settings: Settings): unknown => choose(settings).body['tool_choice'];
    assert.equal(chosen({ toolChoice: { type: 'auto' } }), undefined);
    assert.deepEqual(chosen({ toolChoice: { type: 'none' }, parallelToolCalls: false }), { type: 'none' });
    assert.deepEqual(chosen({ toolChoice: { type: 'required' } }), { type: 'any' });
    assert.deepEqual(chosen({ toolChoice: { type: 'tool', name: 'f' }, parallelToolCalls: false }), {
      type: 'tool',
      name: 'f',
      disable_parallel_tool_use: true,
    });
    assert.deepEqual(chosen({ parallelToolCalls: false }), { type: 'auto', disable_parallel_tool_use: true });
    const other: Tool = { name: 'g', path: 'tools[1]' };
    const { body } = choose({ toolChoice: { type: 'allowed', names: ['g'], mode: 'required' } }, [TOOL, other]);
    assert.deepEqual(
      [(body['tools'] as JsonRecord[]).map(({ name }) => name), body['tool_choice']],
      [['g'], { type: 'any' }],
    );
  });

  test('cannot be forced while thinking, nor where there are none', () => {
    const settings: Settings = { toolChoice: { type: 'required' }, reasoning: { effort: 'low' } };
    const thinking = choose(settings);
    assert.deepEqual([thinking.body['tool_choice'], thinking.dropped], [undefined, ['tool_choice']]);
    assert.deepEqual(set({ toolChoice: { type: 'required' } }).dropped, ['tool_choice']);
    assert.deepEqual(set({ toolChoice: { type: 'none' } }).dropped, []);
    const always = write({ tools: [TOOL], settings: { toolChoice: { type: 'required' } } }, 'claude-opus-5-5');
    assert.deepEqual(always.dropped, ['tool_choice']);
  });

  test('that were called before are named again when none is offered', () => {
    const { body } = say(HELLO, message('assistant', call('a')), message('tool', result('a')));
    assert.deepEqual(body['tools'], [{ name: 'f', input_schema: { type: 'object', properties: {} } }]);
    assert.deepEqual(body['tool_choice'], { type: 'none' });
  });
});

describe('settings', () => {
  test('are written in the words and the range of this protocol', () => {
    const { body, dropped } = set({ temperature: 1.7, topK: 5, stop: ['END'], user: 'u', serviceTier: 'default' });
    assert.deepEqual(
      [body['temperature'], body['top_k'], body['stop_sequences'], body['metadata'], body['service_tier']],
      [1, 5, ['END'], { user_id: 'u' }, 'standard_only'],
    );
    assert.deepEqual(dropped, []);
    assert.equal(set({ topP: 0.5 }).body['top_p'], 0.5);
  });

  test('without a place are named in the words of the caller', () => {
    const lost = set({
      seed: 1,
      presencePenalty: 1,
      frequencyPenalty: 1,
      choices: 2,
      metadata: {},
      verbosity: 'low',
      serviceTier: 'flex',
      stop: [' '],
    });
    assert.deepEqual(lost.dropped.toSorted(), [
      'choices',
      'frequencyPenalty',
      'metadata',
      'presencePenalty',
      'seed',
      'serviceTier',
      'stop',
      'verbosity',
    ]);
    assert.deepEqual(Object.keys(lost.body), ['model', 'max_tokens', 'messages']);
    assert.deepEqual(set({ temperature: 0.5, topP: 0.5 }).dropped, ['topP']);
  });

  test('of sampling are left alone while thinking, and on models that refuse them', () => {
    const reasoning = { effort: 'low' as const };
    const thinking = set({ reasoning, temperature: 0.2, topP: 0.97, topK: 3 });
    assert.deepEqual([thinking.dropped, thinking.body['top_p']], [['temperature', 'topK'], 0.97]);
    assert.deepEqual(set({ reasoning, temperature: 1 }).dropped, []);
    const newer = set({ temperature: 0.2, topP: 0.97 }, 'claude-opus-4-7');
    assert.deepEqual(
      [newer.dropped, newer.body['temperature'], newer.body['top_p']],
      [['temperature', 'topP'], undefined, undefined],
    );
    assert.deepEqual(set({ temperature: 1, topP: 1 }, 'claude-opus-4-7').dropped, []);
  });

  test('of the channel take fields out, but never those that make the request', () => {
    const { body } = write({ settings: { user: 'u' } }, 'm', ['metadata', 'messages', 'max_tokens']);
    assert.deepEqual(Object.keys(body), ['model', 'max_tokens', 'messages']);
  });
});

describe('structured output', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } };

  test('is asked for with a schema that is taken', () => {
    const format = { type: 'schema' as const, name: 'x', description: 'An answer.', schema };
    assert.deepEqual(set({ format }).body['output_config'], {
      format: {
        type: 'json_schema',
        schema: {
          description: 'An answer.',
          type: 'object',
          properties: { n: { type: 'integer', description: '{minimum: 1}' } },
          additionalProperties: false,
        },
      },
    });
  });

  test('becomes an instruction where there is no schema, or the model takes none', () => {
    const told = (written: Written): string => JSON.stringify(written.body['system']);
    const plain = set({ format: { type: 'json' } });
    assert.match(told(plain), /one JSON object and nothing else/);
    const old = set({ format: { type: 'schema', schema } }, 'claude-3-5-haiku-latest');
    assert.ok(told(old).includes(JSON.stringify(JSON.stringify(schema)).slice(1, -1)));
    assert.deepEqual([plain.dropped, old.dropped, old.body['output_config']], [[], [], undefined]);
  });
});

describe('thinking', () => {
  test('goes with the effort as a word on newer models, and as a budget on older ones', () => {
    const older = set({ reasoning: { effort: 'medium' }, maxOutputTokens: 50_000 }).body;
    assert.deepEqual(older['thinking'], { type: 'enabled', budget_tokens: 8192 });
    const newer = set({ reasoning: { effort: 'medium', isShown: true } }, 'claude-opus-4-8').body;
    assert.deepEqual(newer['thinking'], { type: 'adaptive', display: 'summarized' });
    assert.deepEqual([newer['output_config'], newer['max_tokens']], [{ effort: 'medium' }, 4096]);
  });

  test('with a budget is given up when the thoughts before a call are missing, and named', () => {
    const messages = [HELLO, message('assistant', call('a')), message('tool', result('a'))];
    const settings: Settings = { reasoning: { effort: 'high' } };
    const given = write({ messages, settings, tools: [TOOL] });
    assert.deepEqual([given.body['thinking'], given.dropped], [undefined, ['reasoning_effort']]);
    const own = { protocol: 'anthropic-messages', value: 's' };
    const thought: Part = { type: 'reasoning', text: 'hm', signature: own, path: 'p' };
    const kept = write({
      messages: [HELLO, message('assistant', thought, call('a')), message('tool', result('a'))],
      settings,
      tools: [TOOL],
    });
    assert.deepEqual([kept.body['thinking'], kept.dropped], [{ type: 'enabled', budget_tokens: 16384 }, []]);
    assert.deepEqual(write({ messages, settings, tools: [TOOL] }, 'claude-opus-5').dropped, []);
  });
});
