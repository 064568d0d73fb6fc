import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { problemsOf } from './check-answer.ts';
import { exceptions } from './exceptions.ts';
import { vendorSchemas } from './make-schemas.ts';
import { renderExceptions } from './render-exceptions.ts';
import type { PublishedName } from './published-types.ts';

const PAGE = 'docs/lab/vendor-types.md';
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const message = { role: 'assistant', content: 'Hi', refusal: null };
const choice = { index: 0, finish_reason: 'stop', logprobs: null, message };
const completion = { id: 'a', object: 'chat.completion', created: 1, model: 'm', choices: [choice], usage };

function found(name: PublishedName, value: unknown): string[] {
  return problemsOf(name, value).map(({ kind, schemaPath, path }) => `${kind} ${schemaPath} ${path}`);
}
const withMessage = (more: object): object => ({
  ...completion,
  choices: [{ ...choice, message: { ...message, ...more } }],
});

describe("an answer held against the vendor's types", () => {
  test('is right when it is whole', () => {
    assert.deepEqual(found('ChatCompletion', completion), []);
  });

  test('may not leave out what is required, nor have null where the type has none', () => {
    const { refusal: _, ...partial } = message;
    const lacking = { ...completion, choices: [{ ...choice, message: partial }] };
    assert.deepEqual(found('ChatCompletion', lacking), [
      'missing ChatCompletionMessage.refusal $.choices[0].message.refusal',
    ]);
    assert.deepEqual(found('ChatCompletion', { ...completion, usage: null }), ['null ChatCompletion.usage $.usage']);
    const calls = withMessage({ tool_calls: null });
    assert.deepEqual(found('ChatCompletion', calls), [
      'null ChatCompletionMessage.tool_calls $.choices[0].message.tool_calls',
    ]);
  });

  test('may not have fields, words or types that the type has not', () => {
    assert.deepEqual(found('ChatCompletion', { ...completion, extra: 1 }), ['extra ChatCompletion.extra $.extra']);
    assert.deepEqual(found('ChatCompletion', { ...completion, object: 'chat' }), [
      'value ChatCompletion.object $.object',
    ]);
    assert.deepEqual(found('ChatCompletion', { ...completion, created: '1' }), [
      'type ChatCompletion.created $.created',
    ]);
    assert.deepEqual(found('ChatCompletion', { ...completion, choices: {} }), [
      'type ChatCompletion.choices $.choices',
    ]);
  });

  test('of a union is held against the member that its type names', () => {
    const half = { type: 'function', id: 'a', function: { name: 'f' } };
    assert.deepEqual(found('ChatCompletion', withMessage({ tool_calls: [half] })), [
      'missing ChatCompletionMessageFunctionToolCall.Function.arguments $.choices[0].message.tool_calls[0].function.arguments',
    ]);
    const block = { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } };
    assert.deepEqual(found('RawMessageStreamEvent', block), [
      'missing ThinkingBlock.signature $.content_block.signature',
    ]);
    assert.deepEqual(found('RawMessageStreamEvent', { type: 'ping' }), []);
  });
});

test('every exception names a type that the vendor has published', () => {
  const { $defs } = vendorSchemas();
  const names = new Set([...Object.keys($defs), ...Object.keys($defs['PublishedTypes']?.['properties'] ?? {})]);
  for (const schemaPath of exceptions.flatMap(({ schemaPaths }) => schemaPaths))
    assert.ok(names.has(schemaPath.slice(0, schemaPath.lastIndexOf('.'))), schemaPath);
});

test(`${PAGE} is the list of exceptions`, () => {
  assert.ok(readFileSync(PAGE, 'utf8').includes(renderExceptions(exceptions)), renderExceptions(exceptions));
});
