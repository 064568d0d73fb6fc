// The vendors' limits on names, ids and counts: what is at the limit is served, what is beyond it is refused in their words.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { askMessages, messagesBody } from './anthropic/test-messages.ts';
import { askModel, generateBody } from './gemini/test-generate.ts';
import { startSandbox } from './server.ts';
import { call, chatBody } from './test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const parameters = { type: 'object', properties: {} };
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const metadata = (count: number, value = 'v') => Object.fromEntries(times(count, (i) => [`k${i}`, value]));

/** Status, code and field. */
async function openai(path: string, body: object): Promise<unknown[]> {
  const { status, text } = await call(sandbox, body, { path });
  const { error } = JSON.parse(text) as { error?: { code: string; param: string } };
  return status === 200 ? [200] : [status, error?.code, error?.param];
}

describe('chat completions', () => {
  const chat = (more: Record<string, unknown>) => openai('/chat/completions', chatBody('Hi', more));
  const tool = (name: string) => ({ type: 'function', function: { name, parameters } });
  const answered = (id: string, name = 'f') =>
    openai('/chat/completions', {
      model: 'sandbox-chat',
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: id, content: 'ok' },
      ],
    });

  test('names of functions', async () => {
    const field = 'tools[0].function.name';
    assert.deepEqual(await chat({ tools: [tool('f'.repeat(64))] }), [200]);
    assert.deepEqual(await chat({ tools: [tool('f'.repeat(65))] }), [400, 'string_above_max_length', field]);
    assert.deepEqual(await chat({ tools: [tool('a.b')] }), [400, 'invalid_value', field]);
    const past = 'messages[1].tool_calls[0].function.name';
    assert.deepEqual(await answered('a', 'a.b'), [400, 'invalid_value', past]);
  });

  test('ids of calls', async () => {
    assert.deepEqual(await answered('a'.repeat(64)), [200]);
    const field = 'messages[1].tool_calls[0].id';
    assert.deepEqual(await answered('a'.repeat(65)), [400, 'string_above_max_length', field]);
  });

  test('counts of tools and stop sequences', async () => {
    assert.deepEqual(await chat({ tools: times(128, (i) => tool(`f${i}`)) }), [200]);
    assert.deepEqual(await chat({ tools: times(129, (i) => tool(`f${i}`)) }), [400, 'array_above_max_length', 'tools']);
    assert.deepEqual(await chat({ stop: times(4, String) }), [200]);
    assert.deepEqual(await chat({ stop: times(5, String) }), [400, 'array_above_max_length', 'stop']);
  });

  test('metadata, identifiers and names of schemas', async () => {
    assert.deepEqual(await chat({ metadata: metadata(16, 'v'.repeat(512)) }), [200]);
    assert.deepEqual(await chat({ metadata: metadata(17) }), [400, 'object_above_max_properties', 'metadata']);
    const long = { metadata: metadata(1, 'v'.repeat(513)) };
    assert.deepEqual(await chat(long), [400, 'string_above_max_length', 'metadata.k0']);
    for (const field of ['safety_identifier', 'prompt_cache_key']) {
      assert.deepEqual(await chat({ [field]: 'x'.repeat(64) }), [200]);
      assert.deepEqual(await chat({ [field]: 'x'.repeat(65) }), [400, 'string_above_max_length', field]);
    }
    const format = (name: string) => ({ response_format: { type: 'json_schema', json_schema: { name, schema: {} } } });
    const field = 'response_format.json_schema.name';
    assert.deepEqual(await chat(format('a b')), [400, 'invalid_value', field]);
  });
});

test('responses: names, ids of calls, counts and metadata', async () => {
  const ask = (more: object) => openai('/responses', { model: 'sandbox-chat', input: 'Hi', ...more });
  const tool = (name: string) => ({ type: 'function', name, parameters });
  const answered = (id: string) => [
    { type: 'message', role: 'user', content: 'Hi' },
    { type: 'function_call', call_id: id, name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: id, output: 'ok' },
  ];
  const tooLong = 'string_above_max_length';
  assert.deepEqual(await ask({ tools: [tool('f'.repeat(65))] }), [400, tooLong, 'tools[0].name']);
  assert.deepEqual(await ask({ tools: times(129, (i) => tool(`f${i}`)) }), [400, 'array_above_max_length', 'tools']);
  assert.deepEqual(await ask({ input: answered('a'.repeat(64)) }), [200]);
  assert.deepEqual(await ask({ input: answered('a'.repeat(65)) }), [400, tooLong, 'input[1].call_id']);
  assert.deepEqual(await ask({ metadata: metadata(17) }), [400, 'object_above_max_properties', 'metadata']);
  const format = { type: 'json_schema', name: 'a b', schema: {} };
  assert.deepEqual(await ask({ text: { format } }), [400, 'invalid_value', 'text.format.name']);
});

test('messages: names of tools, ids of calls and the id of a user', async () => {
  const ask = async (more: object) =>
    (await askMessages(sandbox, messagesBody('Hi', more as Record<string, unknown>))).text;
  const tool = (name: string) => ({ tools: [{ name, input_schema: parameters }] });
  assert.match(await ask(tool('f'.repeat(128))), /"type":"message"/);
  assert.match(await ask(tool('f'.repeat(129))), /tools\.0\.custom\.name: String should match pattern/);
  assert.match(await ask({ metadata: { user_id: 'u'.repeat(256) } }), /"type":"message"/);
  assert.match(await ask({ metadata: { user_id: 'u'.repeat(257) } }), /user_id: String should have at most 256/);
});

test('generate-content: names and counts of functions, stop sequences', async () => {
  const ask = async (more: object) =>
    (await askModel(sandbox, 'generateContent', generateBody('Hi', more as Record<string, unknown>))).text;
  const functions = (names: string[]) => ({ tools: [{ functionDeclarations: names.map((name) => ({ name })) }] });
  assert.match(await ask(functions(['f'.repeat(64)])), /candidates/);
  assert.match(await ask(functions(['f'.repeat(65)])), /Invalid function name/);
  assert.match(await ask(functions(times(513, (i) => `f${i}`))), /At most 512 function declarations/);
  assert.match(await ask({ generationConfig: { stopSequences: times(6, String) } }), /at most 5 stop sequences/);
});
