import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Generation } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { readGeneration } from './read-generation.ts';

const HI = { parts: [{ text: 'hi' }] };
const read = (body: JsonRecord): Generation =>
  readGeneration({ contents: [HI], ...body }, { model: 'm', stream: true });
const set = (generationConfig: object) => read({ generationConfig });

describe('tools', () => {
  test('come with JSON schemas, also from the vendor own form of schemas', () => {
    const { tools, unknown } = read({
      tools: [
        {
          function_declarations: [
            {
              name: 'f',
              description: 'd',
              parameters: {
                type: 'OBJECT',
                properties: {
                  type: { type: 'STRING', enum: ['a'], format: 'enum', nullable: true },
                  list: { type: 'ARRAY', items: { type: 'INTEGER' }, max_items: '3' },
                },
                required: ['list'],
                propertyOrdering: ['list', 'type'],
              },
            },
            { name: 'g', parametersJsonSchema: { type: 'object' }, response: {} },
          ],
        },
        { googleSearch: {} },
      ],
    });
    assert.deepEqual(tools[0]?.parameters, {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
        type: { type: ['string', 'null'], enum: ['a', null] },
      },
      required: ['list'],
    });
    assert.deepEqual(Object.keys(tools[0]?.parameters?.['properties'] as object), ['list', 'type']);
    assert.deepEqual(tools[1], { name: 'g', parameters: { type: 'object' }, path: 'tools[0].functionDeclarations[1]' });
    assert.deepEqual(unknown, ['tools[0].functionDeclarations[1].response', 'tools[1].googleSearch']);
  });

  test('are chosen by mode and names', () => {
    const choice = (functionCallingConfig: object) =>
      read({ toolConfig: { functionCallingConfig } }).settings.toolChoice;
    assert.deepEqual(choice({ mode: 'AUTO' }), { type: 'auto' });
    assert.deepEqual(choice({ mode: 'NONE' }), { type: 'none' });
    assert.deepEqual(choice({ mode: 'ANY' }), { type: 'required' });
    assert.deepEqual(choice({ mode: 'ANY', allowedFunctionNames: ['f'] }), { type: 'tool', name: 'f' });
    assert.deepEqual(choice({ mode: 'ANY', allowed_function_names: ['f', 'g'] }), {
      type: 'allowed',
      names: ['f', 'g'],
      mode: 'required',
    });
    assert.deepEqual(choice({ mode: 'VALIDATED', allowedFunctionNames: ['f'] }), {
      type: 'allowed',
      names: ['f'],
      mode: 'auto',
    });
  });
});

describe('settings', () => {
  test('are read under their own names', () => {
    const { settings, unknown } = set({
      maxOutputTokens: 9,
      temperature: 0,
      top_p: 0.5,
      topK: 3,
      stopSequences: ['x'],
      seed: 0,
      presencePenalty: 1,
      frequencyPenalty: -1,
      candidateCount: 2,
      thinkingConfig: { thinkingBudget: -1, includeThoughts: true },
      responseModalities: ['TEXT'],
    });
    assert.deepEqual(unknown, []);
    assert.deepEqual(settings, {
      maxOutputTokens: 9,
      temperature: 0,
      topP: 0.5,
      topK: 3,
      stop: ['x'],
      seed: 0,
      presencePenalty: 1,
      frequencyPenalty: -1,
      choices: 2,
      reasoning: { budget: -1, isShown: true },
    });
  });

  test('of the output format and of thinking are read by their meaning', () => {
    const schema = { type: 'OBJECT', properties: { a: { type: 'STRING' } } };
    assert.deepEqual(set({ responseMimeType: 'application/json' }).settings.format, { type: 'json' });
    assert.deepEqual(set({ responseMimeType: 'application/json', responseSchema: schema }).settings.format, {
      type: 'schema',
      schema: { type: 'object', properties: { a: { type: 'string' } } },
    });
    assert.deepEqual(
      set({ responseMimeType: 'application/json', responseJsonSchema: { type: 'array' } }).settings.format,
      {
        type: 'schema',
        schema: { type: 'array' },
      },
    );
    assert.deepEqual(set({ thinkingConfig: { thinkingLevel: 'LOW' } }).settings.reasoning, { effort: 'low' });
  });

  test('that have no place elsewhere are named, as the caller wrote them', () => {
    const { unknown } = read({
      safety_settings: [{}],
      cachedContent: 'cachedContents/1',
      generationConfig: {
        speechConfig: {},
        responseModalities: ['IMAGE'],
        responseMimeType: 'text/x.enum',
        thinking_config: { x: 1 },
      },
      contents: [{ parts: [{ text: 'a', videoMetadata: {} }, { executableCode: { code: 'x' } }], extra: 1 }],
      toolConfig: { retrievalConfig: {} },
    });
    assert.deepEqual(unknown.toSorted(), [
      'cachedContent',
      'contents[0].extra',
      'contents[0].parts[0].videoMetadata',
      'contents[0].parts[1].executableCode',
      'generationConfig.responseMimeType',
      'generationConfig.responseModalities',
      'generationConfig.speechConfig',
      'generationConfig.thinkingConfig.x',
      'safety_settings',
      'toolConfig.retrievalConfig',
    ]);
  });
});
