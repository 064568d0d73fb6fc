// Fields that were once lost without a word, or named although the other side has them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { writtenText } from '../../testing/written-text.ts';
import { anthropicMessagesUpstream } from '../anthropic-messages/index.ts';
import { geminiClient, geminiUpstream, readGenerateContent } from '../gemini-generate-content/index.ts';
import { type JsonRecord, parseRecord } from '../json/json-value.ts';
import { openaiChatClient, openaiChatUpstream, readChat } from '../openai-chat/index.ts';
import { openaiResponsesClient, openaiResponsesUpstream, readResponse } from '../openai-responses/index.ts';
import type { RelayRequest } from '../protocol.ts';
import type { ClientSide, UpstreamSide } from '../text-protocol.ts';
import { translateRequest } from './translate.ts';

interface Asked {
  sent: JsonRecord;
  dropped: readonly string[];
}

function ask(request: RelayRequest, from: ClientSide, to: UpstreamSide, upstreamModel = 'up'): Asked {
  const translation = { from, to, id: 'i', created: 1, strict: false, defaultMaxOutput: 9 };
  const translated = translateRequest(request, translation);
  assert.ok(translated !== undefined);
  const sent = parseRecord(writtenText(translated.write({ upstreamModel, dropFields: [] }))) ?? {};
  return { sent, dropped: translated.dropped ?? [] };
}
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const chat = (more: object, to: UpstreamSide): Asked =>
  ask(readChat(json({ model: 'm', messages: [{ role: 'user', content: 'a' }], ...more })), openaiChatClient, to);
const responses = (more: object, to: UpstreamSide, model?: string): Asked =>
  ask(readResponse(json({ model: 'm', input: 'a', ...more })), openaiResponsesClient, to, model);
const content = (more: object, to: UpstreamSide): Asked => {
  const body = json({ contents: [{ parts: [{ text: 'a' }] }], ...more });
  return ask(readGenerateContent(body, { model: 'm', stream: false, framing: 'events' }), geminiClient, to);
};

describe('named', () => {
  test('is a choice among tools where none is offered', () => {
    const hosted = { tools: [{ type: 'web_search' }], tool_choice: 'required' };
    for (const to of [geminiUpstream, anthropicMessagesUpstream, openaiChatUpstream])
      assert.deepEqual(responses(hosted, to).dropped, ['tools[0]', 'tool_choice']);
    assert.deepEqual(chat({ tool_choice: 'auto' }, geminiUpstream).dropped, []);
  });

  test('is an end user beside another one', () => {
    const both = { user: 'a', safety_identifier: 'b' };
    const { sent, dropped } = chat(both, openaiResponsesUpstream);
    assert.deepEqual([sent['safety_identifier'], dropped], ['b', ['user']]);
    assert.deepEqual(responses(both, openaiChatUpstream).dropped, ['user']);
    assert.deepEqual(chat({ ...both, user: 'b' }, openaiResponsesUpstream).dropped, []);
  });

  test('is a list of functions in a mode that chooses none', () => {
    const config = (mode?: string) => ({
      tools: [{ functionDeclarations: [{ name: 'f' }] }],
      toolConfig: { functionCallingConfig: { mode, allowedFunctionNames: ['f'] } },
    });
    const path = 'toolConfig.functionCallingConfig.allowedFunctionNames';
    for (const mode of ['AUTO', 'NONE', undefined])
      assert.deepEqual(content(config(mode), openaiChatUpstream).dropped, [path]);
    for (const mode of ['ANY', 'VALIDATED']) assert.deepEqual(content(config(mode), openaiChatUpstream).dropped, []);
  });

  test('is metadata that is no flat map of texts', () => {
    for (const to of [openaiChatUpstream, openaiResponsesUpstream]) {
      const nested = content({ labels: { a: { b: 1 } } }, to);
      assert.deepEqual([nested.sent['metadata'], nested.dropped], [undefined, ['labels']]);
      assert.deepEqual(content({ labels: { a: 'b' } }, to).sent['metadata'], { a: 'b' });
    }
  });

  test('are log probabilities only where they are asked for', () => {
    const generationConfig = { responseLogprobs: false, logprobs: 0 };
    assert.deepEqual(content({ generationConfig }, openaiChatUpstream).dropped, []);
    const asked = content({ generationConfig: { responseLogprobs: true, logprobs: 2 } }, openaiChatUpstream);
    assert.deepEqual(asked.dropped, ['generationConfig.responseLogprobs', 'generationConfig.logprobs']);
  });
});

describe('kept', () => {
  test('is the key of the prompt cache where both sides have it', () => {
    const key = { prompt_cache_key: 'k' };
    for (const { sent, dropped } of [chat(key, openaiResponsesUpstream), responses(key, openaiChatUpstream)])
      assert.deepEqual([sent['prompt_cache_key'], dropped], ['k', []]);
    for (const to of [anthropicMessagesUpstream, geminiUpstream])
      assert.deepEqual(chat(key, to).dropped, ['prompt_cache_key']);
  });

  test('is that functions of responses are strict by default, where their schema can be kept to', () => {
    const closed = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    const tool = (parameters: object, more: object = {}) => ({
      tools: [{ type: 'function', name: 'f', parameters, ...more }],
    });
    const strict = (asked: object): boolean =>
      /"strict":true/.test(JSON.stringify(responses(asked, openaiChatUpstream).sent));
    assert.equal(strict(tool(closed)), true);
    assert.equal(strict(tool(closed, { strict: false })), false);
    assert.equal(strict(tool({ ...closed, required: [] })), false);
    const inner = { ...closed, properties: { a: { type: 'array', items: { type: 'object', properties: {} } } } };
    assert.equal(strict(tool(inner)), false);
    const old = responses(tool(closed), anthropicMessagesUpstream, 'claude-3-5-haiku');
    assert.deepEqual(old.dropped, [], 'the caller has not asked for it');
  });
});
