import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anthropicMessages } from '../anthropic-messages/index.ts';
import { geminiGenerateContent } from '../gemini-generate-content/index.ts';
import { openaiChat } from '../openai-chat/index.ts';
import { openaiResponses } from '../openai-responses/index.ts';
import type { Protocol } from '../protocol.ts';

const limit = ({ readLimit }: Protocol, request: unknown): number | undefined =>
  readLimit?.(Buffer.from(JSON.stringify(request)));

test('the limit of output is read from what was sent, in the words of every protocol', () => {
  assert.equal(limit(openaiChat, { max_tokens: 5 }), 5);
  assert.equal(limit(openaiChat, { max_tokens: 5, max_completion_tokens: 9 }), 9);
  assert.equal(limit(openaiResponses, { max_output_tokens: 7 }), 7);
  assert.equal(limit(anthropicMessages, { max_tokens: 8 }), 8);
  assert.equal(limit(geminiGenerateContent, { generationConfig: { maxOutputTokens: 4 } }), 4);
  assert.equal(limit(geminiGenerateContent, { generation_config: { max_output_tokens: 3 } }), 3);
});

test('no limit is none', () => {
  for (const protocol of [openaiChat, openaiResponses, anthropicMessages, geminiGenerateContent])
    for (const request of [{}, [], { max_tokens: null, max_output_tokens: 'x', generationConfig: 5 }])
      assert.equal(limit(protocol, request), undefined);
});
