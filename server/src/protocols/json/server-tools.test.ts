import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewriteJsonObject } from '../../shared/json-rewrite.ts';
import { scanJsonObject } from '../../shared/json-fields.ts';
import { toolFields as ofMessages } from '../anthropic-messages/wire.ts';
import { ExtrasReader, toolFields as ofContent } from '../gemini-generate-content/server-tools.ts';
import { toolFields as ofChat } from '../openai-chat/wire.ts';
import { extrasOfResponse } from '../openai-responses/read-extras.ts';
import { readResponseStream } from '../openai-responses/relay-stream.ts';
import { toolFields as ofResponses } from '../openai-responses/wire.ts';
import { toolName } from '../../neutral/server-tool.ts';
import { serverToolsOf, type ToolFields } from './server-tools.ts';
import { readToolUses } from '../stream/tool-uses.ts';

function look(body: string, fields: ToolFields) {
  const json = scanJsonObject(Buffer.from(body));
  const { list, without } = serverToolsOf(json, fields)();
  return {
    found: list.map(({ name, path, mostUses }) => [name, path, mostUses] as const),
    rest: (names: string[]) =>
      rewriteJsonObject(json, without(list.filter(({ name }) => names.includes(name)))).toString(),
  };
}

test('a dated or preview name is that of its tool', () => {
  for (const type of ['web_search', 'web_search_preview', 'web_search_preview_2025_03_11', 'web_search_2025_08_26'])
    assert.equal(toolName(type), 'web_search');
  assert.equal(toolName('web_search_20250305'), 'web_search');
  assert.equal(toolName('code_execution_20250825'), 'code_execution');
});

test('tools that run at the provider are found in every protocol, those of the client are not (contract-2 9)', () => {
  const chat = look(
    '{"tools":[{"type":"function","function":{"name":"f"}},{"type":"web_search"}],"enable_search":false,"plugins":[]}',
    ofChat,
  );
  assert.deepEqual(chat.found, [
    ['web_search', 'tools[1]', undefined],
    ['web_search', 'plugins', 1],
  ]);
  const responses = look(
    '{"tools":[{"type":"custom"},{"type":"file_search"},{"type":"local_shell"},{"type":"mcp"}],"max_tool_calls":4}',
    ofResponses,
  );
  assert.deepEqual(responses.found, [
    ['file_search', 'tools[1]', 4],
    ['mcp', 'tools[3]', 4],
  ]);
  const messages = look(
    '{"tools":[{"name":"f","input_schema":{}},{"type":"bash_20250124","name":"bash"},{"type":"web_fetch_20250910","name":"web_fetch","max_uses":2}]}',
    ofMessages,
  );
  assert.deepEqual(messages.found, [['web_fetch', 'tools[2]', 2]]);
  const content = look(
    '{"tools":{"google_search":{},"functionDeclarations":[],"urlContext":null,"codeExecution":{}}}',
    ofContent,
  );
  assert.deepEqual(content.found, [
    ['web_search', 'tools[0].google_search', undefined],
    ['code_execution', 'tools[0].codeExecution', undefined],
  ]);
});

test('a request without them keeps its other bytes, and chooses no tool that is gone', () => {
  const two = look(
    '{"a":1.0,"tools":[{"type":"function","x":1.50},{"type":"web_search"}],"tool_choice":"auto"}',
    ofResponses,
  );
  assert.equal(two.rest(['web_search']), '{"a":1.0,"tools":[{"type":"function","x":1.50}],"tool_choice":"auto"}');
  const named = look(
    '{"tools":[{"type":"function"},{"type":"web_search_preview"}],"tool_choice":{"type":"web_search_preview"}}',
    ofResponses,
  );
  assert.equal(named.rest(['web_search']), '{"tools":[{"type":"function"}]}');
  const only = look('{"tools":[{"type":"web_search"}],"tool_choice":"required","b":2}', ofResponses);
  assert.equal(only.rest(['web_search']), '{"b":2}');
  const inner = look('{"tools":[{"googleSearch":{},"functionDeclarations":[{"name":"f"}]}]}', ofContent);
  assert.equal(inner.rest(['web_search']), '{"tools":[{"functionDeclarations":[{"name":"f"}]}]}');
  const field = look('{"web_search_options":{},"n":1}', ofChat);
  assert.equal(field.rest(['web_search']), '{"n":1}');
});

test('uses are read from every form of usage that counts them', () => {
  assert.deepEqual(readToolUses({ server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 } }), {
    web_search: 2,
  });
  assert.deepEqual(readToolUses({ num_search_queries: 3 }), { web_search: 3 });
  assert.deepEqual(readToolUses({ server_side_tool_usage_details: { x_search_calls: 1 } }), { x_search: 1 });
  assert.equal(readToolUses({ server_tool_use: null, num_search_queries: -1 }), undefined);
});

test('of a response every call at the provider counts, but only searches among those of the web (contract-2 9)', () => {
  const output = [
    { type: 'web_search_call', action: { type: 'search' } },
    { type: 'web_search_call', action: { type: 'open_page' } },
    { type: 'web_search_call' },
    { type: 'file_search_call' },
    { type: 'function_call' },
    { type: 'custom_tool_call' },
    { type: 'computer_call' },
    { type: 'message' },
  ];
  assert.deepEqual(extrasOfResponse({ output, service_tier: 'Flex' }), {
    serviceTier: 'flex',
    toolUses: { web_search: 2, file_search: 1 },
  });
});

test('a stream of a response that breaks off has counted the calls that were done (promise M-07)', () => {
  const reader = readResponseStream(true);
  const say = (type: string, fields: object): Buffer =>
    Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  reader.push(say('response.created', { response: {} }));
  reader.push(say('response.output_item.done', { item: { type: 'web_search_call', action: { type: 'search' } } }));
  reader.push(say('response.output_item.done', { item: { type: 'function_call' } }));
  assert.deepEqual(reader.extras, { toolUses: { web_search: 1 } });
});

test('grounding that is repeated with every piece counts once, for each candidate (contract-2 9)', () => {
  const reader = new ExtrasReader();
  const piece = (index: number, queries: string[]): object => ({
    index,
    groundingMetadata: { webSearchQueries: queries },
  });
  reader.read({ candidates: [piece(0, ['a'])] });
  reader.read({ candidates: [piece(0, ['a', 'b'])] });
  reader.read({ candidates: [piece(1, ['c'])], usageMetadata: { trafficType: 'ON_DEMAND_PRIORITY' } });
  reader.read({ candidates: [{ index: 0, content: { parts: [{ executableCode: {} }, { text: 'x' }] } }] });
  assert.deepEqual(reader.extras, { serviceTier: 'priority', toolUses: { web_search: 3, code_execution: 1 } });
});
