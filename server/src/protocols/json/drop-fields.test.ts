import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { writtenText } from '../../testing/written-text.ts';
import { anthropicMessagesClient, anthropicMessagesUpstream, readMessages } from '../anthropic-messages/index.ts';
import { geminiUpstream } from '../gemini-generate-content/index.ts';
import { openaiChatClient, openaiChatUpstream, readChat } from '../openai-chat/index.ts';
import { openaiCompletionsUpstream } from '../openai-completions/index.ts';
import { openaiResponsesUpstream } from '../openai-responses/index.ts';
import type { RelayRequest } from '../protocol.ts';
import type { ClientSide, UpstreamSide } from '../text-protocol.ts';
import { translateRequest } from '../translation/translate.ts';

const chat = readChat(
  Buffer.from(
    JSON.stringify({
      model: 'm',
      messages: [
        { role: 'system', content: 'be kind' },
        { role: 'user', content: 'hi' },
      ],
      max_tokens: 50,
      temperature: 0.5,
      safety_identifier: 'u',
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
      tool_choice: 'required',
      verbosity: 'low',
    }),
  ),
);
const messages = readMessages(
  Buffer.from(
    JSON.stringify({
      model: 'm',
      max_tokens: 50,
      top_k: 3,
      stop_sequences: ['x'],
      messages: [{ role: 'user', content: 'hi' }],
    }),
  ),
);

interface Pair {
  request: RelayRequest;
  from: ClientSide;
  to: UpstreamSide;
}

function write({ request, from, to }: Pair, dropFields: string[], strict = false): { sent: object; dropped: unknown } {
  const translation = { from, to, id: 'i', created: 1, strict, defaultMaxOutput: 9 };
  const translated = translateRequest(request, translation);
  assert.ok(translated !== undefined);
  const sent = JSON.parse(writtenText(translated.write({ upstreamModel: 'claude-sonnet-4', dropFields }))) as object;
  return { sent, dropped: translated.dropped };
}

const fromChat = { request: chat, from: openaiChatClient };
const cases: { name: string; pair: Pair; fields: string[]; dropped: string[]; gone: string[] }[] = [
  {
    name: 'messages',
    pair: { ...fromChat, to: anthropicMessagesUpstream },
    fields: ['temperature', 'metadata', 'tool_choice', 'system', 'max_tokens', 'top_k'],
    dropped: ['verbosity', 'temperature', 'safety_identifier', 'tool_choice', 'messages[0]'],
    gone: ['temperature', 'metadata', 'tool_choice', 'system'],
  },
  {
    name: 'generate-content, in either spelling',
    pair: { ...fromChat, to: geminiUpstream },
    fields: ['generation_config', 'tools', 'contents'],
    dropped: ['safety_identifier', 'verbosity', 'max_tokens', 'temperature', 'tools[0]', 'tool_choice'],
    gone: ['generationConfig', 'tools', 'toolConfig'],
  },
  {
    name: 'responses',
    pair: { ...fromChat, to: openaiResponsesUpstream },
    fields: ['text', 'store', 'safety_identifier', 'model', 'tools'],
    dropped: ['verbosity', 'safety_identifier', 'tools[0]', 'tool_choice'],
    gone: ['text', 'store', 'safety_identifier', 'tools', 'tool_choice'],
  },
  {
    name: 'chat',
    pair: { request: messages, from: anthropicMessagesClient, to: openaiChatUpstream },
    fields: ['top_k', 'stop', 'max_completion_tokens', 'seed'],
    dropped: ['top_k', 'stop_sequences', 'max_tokens'],
    gone: ['top_k', 'stop', 'max_completion_tokens'],
  },
  {
    name: 'completions',
    pair: { request: messages, from: anthropicMessagesClient, to: openaiCompletionsUpstream },
    fields: ['top_k'],
    dropped: ['top_k'],
    gone: ['top_k'],
  },
];

describe("fields that a channel leaves out of a translated request are named in the caller's words", () => {
  for (const { name, pair, fields, dropped, gone } of cases) {
    test(`of ${name}`, () => {
      const { sent, dropped: named } = write(pair, fields);
      assert.deepEqual(named, dropped);
      assert.deepEqual(
        gone.filter((field) => field in sent),
        [],
      );
      assert.ok('model' in sent || 'contents' in sent);
    });
  }

  test('and refused where the caller is strict', () => {
    const pair = { request: messages, from: anthropicMessagesClient, to: openaiChatUpstream };
    write(pair, ['seed'], true);
    assert.throws(() => write(pair, ['top_k'], true), /'top_k'/);
  });
});
