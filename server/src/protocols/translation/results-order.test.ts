import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anthropicMessagesClient, readMessages } from '../anthropic-messages/index.ts';
import { geminiUpstream } from '../gemini-generate-content/index.ts';
import { asList, asRecord, parseRecord, type JsonRecord } from '../json/json-value.ts';
import { openaiChatUpstream } from '../openai-chat/index.ts';
import { openaiResponsesUpstream } from '../openai-responses/index.ts';
import type { UpstreamSide } from '../text-protocol.ts';
import { translateRequest } from './translate.ts';

const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` });
const body = {
  model: 'm',
  max_tokens: 50,
  messages: [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [use('1'), use('2')] },
    { role: 'user', content: [result('1'), { type: 'text', text: 'and' }, result('2')] },
  ],
};

function ask(to: UpstreamSide): JsonRecord {
  const translation = { from: anthropicMessagesClient, to, id: 'i', created: 1, strict: true, defaultMaxOutput: 9 };
  const request = translateRequest(readMessages(Buffer.from(JSON.stringify(body))), translation);
  const written = request?.write({ upstreamModel: 'up', dropFields: [] });
  assert.ok(Buffer.isBuffer(written));
  return parseRecord(written) ?? {};
}

test('results that the caller parted by words follow the calls without them, as chat upstreams demand', () => {
  const roles = asList(ask(openaiChatUpstream)['messages']).map((one) => asRecord(one)?.['role']);
  assert.deepEqual(roles, ['user', 'assistant', 'tool', 'tool', 'user']);
});

test('the same for responses upstreams', () => {
  const kinds = asList(ask(openaiResponsesUpstream)['input']).map((one) => asRecord(one)?.['type'] ?? 'message');
  const [call, output] = ['function_call', 'function_call_output'];
  assert.deepEqual(kinds, ['message', call, call, output, output, 'message']);
});

test('the same for generate-content upstreams, whose turn of results answers every call of the turn before', () => {
  const turns = asList(ask(geminiUpstream)['contents']).map((one) => asList(asRecord(one)?.['parts']).length);
  assert.deepEqual(turns, [1, 2, 2, 1]);
});
