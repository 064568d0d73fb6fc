import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Settings, Tool, ToolChoice } from '../../../neutral/generation.ts';
import { write } from '../testing/generation.ts';

const set = (settings: Settings, model?: string) => write({ settings }, model);
const config = (settings: Settings, model?: string) => set(settings, model).body['generationConfig'];
const thinking = (reasoning: Settings['reasoning'], model?: string) =>
  (config({ reasoning: reasoning ?? {} }, model) as { thinkingConfig?: object } | undefined)?.thinkingConfig;
const TOOL: Tool = { name: 'f', description: 'd', parameters: { type: 'object', properties: {} }, path: 'tools[0]' };

describe('settings for an upstream of this protocol', () => {
  test('stand in the generation config', () => {
    assert.deepEqual(
      config({
        maxOutputTokens: 5,
        temperature: 2,
        topP: 0.1,
        topK: 2,
        stop: ['a'],
        seed: 0,
        presencePenalty: 1,
        frequencyPenalty: 0,
      }),
      {
        maxOutputTokens: 5,
        temperature: 2,
        topP: 0.1,
        topK: 2,
        stopSequences: ['a'],
        seed: 0,
        presencePenalty: 1,
        frequencyPenalty: 0,
      },
    );
    assert.equal(write({}).body['generationConfig'], undefined);
  });

  test('out of its range become the nearest value, and are named', () => {
    const hot = set({ temperature: 2.5 });
    assert.deepEqual([hot.body['generationConfig'], hot.dropped], [{ temperature: 2 }, ['temperature']]);
    const named = (reasoning: Settings['reasoning'], model?: string) =>
      set({ reasoning: reasoning ?? {} }, model).dropped;
    const isNamed = (reasoning: Settings['reasoning'], model?: string) => named(reasoning, model).length === 1;
    assert.ok(isNamed({ budget: 50_000 }));
    assert.ok(isNamed({ budget: 0 }, 'gemini-2.5-pro'));
    assert.ok(isNamed({ effort: 'none' }, 'gemini-2.5-pro'));
    assert.ok(isNamed({ effort: 'none' }, 'gemini-3-flash'));
    for (const request of [
      { budget: 0 },
      { budget: -1 },
      { budget: 900 },
      { effort: 'max' as const },
      { isShown: true },
    ])
      assert.deepEqual(named(request), [], JSON.stringify(request));
    assert.deepEqual(named({ effort: 'max' }, 'gemini-3-flash'), []);
  });

  test('that have no place are named', () => {
    const stop = ['1', '2', '3', '4', '5', '6'];
    const { body, dropped } = set({
      choices: 2,
      stop,
      user: 'u',
      metadata: { a: 'b' },
      verbosity: 'low',
      parallelToolCalls: false,
      serviceTier: 'scale',
    });
    assert.deepEqual(body['generationConfig'], { stopSequences: stop.slice(0, 5) });
    const named = ['metadata', 'n', 'parallel_tool_calls', 'serviceTier', 'stop', 'user', 'verbosity'];
    assert.deepEqual(dropped.toSorted(), named);
    assert.deepEqual(set({ parallelToolCalls: true, serviceTier: 'auto' }).dropped, []);
    assert.equal(set({ serviceTier: 'default' }).body['serviceTier'], 'standard');
  });

  test('ask for JSON, with the schema as it is', () => {
    const responseMimeType = 'application/json';
    assert.deepEqual(config({ format: { type: 'json' } }), { responseMimeType });
    const schema = { type: 'object', additionalProperties: false };
    assert.deepEqual(config({ format: { type: 'schema', name: 'n', description: 'd', schema, strict: true } }), {
      responseMimeType,
      responseJsonSchema: { ...schema, description: 'd' },
    });
  });

  test('tell how much to think in tokens or words, as the model takes it, within its limits', () => {
    assert.deepEqual(thinking({ effort: 'medium' }), { thinkingBudget: 8192 });
    assert.deepEqual(thinking({ effort: 'none' }), { thinkingBudget: 0 });
    assert.deepEqual(thinking({ effort: 'none' }, 'gemini-2.5-pro'), { thinkingBudget: 128 });
    assert.deepEqual(thinking({ effort: 'max' }), { thinkingBudget: 24_576 });
    assert.deepEqual(thinking({ budget: -1, isShown: true }), { thinkingBudget: -1, includeThoughts: true });
    assert.deepEqual(thinking({ effort: 'xhigh' }, 'gemini-3-flash'), { thinkingLevel: 'HIGH' });
    assert.deepEqual(thinking({ effort: 'low', budget: 900 }, 'gemini-3-flash'), { thinkingBudget: 900 });
    assert.equal(thinking({}), undefined);
  });

  test('without the fields that the channel filters, in either spelling', () => {
    const { body } = write({ settings: { topK: 1 } }, 'm', ['generation_config', 'contents']);
    assert.deepEqual(Object.keys(body), ['contents']);
  });
});

describe('tools for an upstream of this protocol', () => {
  const choose = (toolChoice: ToolChoice | undefined, tools = [TOOL]) =>
    write({ tools, settings: toolChoice === undefined ? {} : { toolChoice } }).body;

  test('are declared with their JSON schemas', () => {
    const { body, dropped } = write({ tools: [{ ...TOOL, cacheMark: { path: 'tools[0].cache_control' } }] });
    assert.deepEqual(body['tools'], [
      { functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema: TOOL.parameters }] },
    ]);
    assert.equal(body['toolConfig'], undefined);
    assert.deepEqual(dropped, ['tools[0].cache_control']);
  });

  test('are chosen by mode and names; schemas are kept to where the caller insists', () => {
    const mode = (choice: ToolChoice | undefined, tools?: Tool[]) =>
      (choose(choice, tools)['toolConfig'] as { functionCallingConfig: object } | undefined)?.functionCallingConfig;
    assert.deepEqual(mode({ type: 'auto' }), { mode: 'AUTO' });
    assert.deepEqual(mode({ type: 'none' }), { mode: 'NONE' });
    assert.deepEqual(mode({ type: 'required' }), { mode: 'ANY' });
    assert.deepEqual(mode({ type: 'tool', name: 'f' }), { mode: 'ANY', allowedFunctionNames: ['f'] });
    assert.deepEqual(mode({ type: 'allowed', names: ['f'], mode: 'auto' }), {
      mode: 'VALIDATED',
      allowedFunctionNames: ['f'],
    });
    assert.deepEqual(mode(undefined, [{ ...TOOL, strict: true }]), { mode: 'VALIDATED' });
    assert.equal(choose({ type: 'auto' }, [])['toolConfig'], undefined, 'refused without declarations');
  });
});
