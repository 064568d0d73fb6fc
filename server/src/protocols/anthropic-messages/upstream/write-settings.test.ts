import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Part } from '../../../neutral/conversation.ts';
import type { Settings, Tool } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { call, HELLO, message, result, say, set, TOOL, write, type Written } from '../testing/generation.ts';

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
    const { body, dropped } = set({ temperature: 0.7, topK: 5, stop: ['END'], user: 'u', serviceTier: 'default' });
    assert.deepEqual(
      [body['temperature'], body['top_k'], body['stop_sequences'], body['metadata'], body['service_tier']],
      [0.7, 5, ['END'], { user_id: 'u' }, 'standard_only'],
    );
    assert.deepEqual(dropped, []);
    assert.equal(set({ topP: 0.5 }).body['top_p'], 0.5);
  });

  test('out of its range become the nearest value, and are named', () => {
    const hot = set({ temperature: 1.5, topK: 0 });
    assert.deepEqual([hot.body['temperature'], hot.body['top_k'], hot.dropped], [1, 1, ['temperature', 'topK']]);
    assert.deepEqual([set({ topP: 1.2 }).body['top_p'], set({ topP: 1.2 }).dropped], [1, ['topP']]);
    assert.deepEqual([set({ topK: 7.5 }).body['top_k'], set({ topK: 7.5 }).dropped], [7, ['topK']]);
    const request = set({ reasoning: { budget: 100 }, maxOutputTokens: 9000 });
    assert.deepEqual(
      [request.body['thinking'], request.dropped],
      [{ type: 'enabled', budget_tokens: 1024 }, ['reasoning_effort']],
    );
    assert.deepEqual(set({ reasoning: { budget: 2000 }, maxOutputTokens: 9000 }).dropped, []);
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
    const reported = (written: Written): string => JSON.stringify(written.body['system']);
    const plain = set({ format: { type: 'json' } });
    assert.match(reported(plain), /one JSON object and nothing else/);
    const old = set({ format: { type: 'schema', schema } }, 'claude-3-5-haiku-latest');
    assert.ok(reported(old).includes(JSON.stringify(JSON.stringify(schema)).slice(1, -1)));
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
