import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anthropicMessagesUpstream } from '../anthropic-messages/index.ts';
import { CallNames } from '../translation/call-names.ts';
import { geminiUpstream } from '../gemini-generate-content/index.ts';
import { openaiChatUpstream } from '../openai-chat/index.ts';
import { openaiResponsesUpstream } from '../openai-responses/index.ts';
import type { StreamPart } from '../../neutral/stream-part.ts';
import type { UpstreamSide } from '../text-protocol.ts';
import { TranslatedStream } from '../translation/translated-stream.ts';

const event = (data: unknown): Buffer => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);

function follow(upstream: UpstreamSide, ...events: unknown[]): { stream: TranslatedStream; shown: StreamPart[] } {
  const shown: StreamPart[] = [];
  const write = (part: StreamPart): string => {
    shown.push(part);
    return '.';
  };
  const stream = new TranslatedStream(upstream.readStream(), { write }, { names: new CallNames('id') });
  for (const one of events) stream.push(event(one));
  return { stream, shown };
}

describe('usage of a translated stream of messages', () => {
  const begin = [
    { type: 'message_start', message: { id: 'm', usage: { input_tokens: 7, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ];
  const say = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word' } };
  const words = Array.from({ length: 40 }, () => say);
  const stop = (usage?: object) => ({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });

  test('is at least what came where no event tells the output', () => {
    const { stream, shown } = follow(anthropicMessagesUpstream, ...begin, ...words, stop(), { type: 'message_stop' });
    assert.equal(stream.ended, true);
    assert.deepEqual([stream.usage?.input, stream.usage?.output], [7, 40]);
    const finish = shown.find((part) => part.type === 'finish');
    assert.equal(finish?.usage?.output, 40);
  });

  test('is what the upstream tells where it does', () => {
    const { stream } = follow(anthropicMessagesUpstream, ...begin, ...words, stop({ output_tokens: 30 }), {
      type: 'message_stop',
    });
    assert.equal(stream.usage?.output, 30);
  });

  test('is at least what came when the stream breaks', () => {
    const { stream } = follow(anthropicMessagesUpstream, ...begin, ...words);
    assert.deepEqual([stream.isComplete(), stream.usage?.input, stream.usage?.output], [false, 7, 40]);
  });
});

describe('usage of a translated stream that breaks', () => {
  test('is the newest that a generate-content upstream reported', () => {
    const piece = (candidatesTokenCount: number) => ({
      candidates: [{ content: { parts: [{ text: 'a' }] } }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount },
    });
    const { stream } = follow(geminiUpstream, piece(1), piece(2), piece(300));
    assert.deepEqual([stream.ended, stream.usage?.input, stream.usage?.output], [false, 5, 300]);
  });

  test('is the newest that a chat upstream reported', () => {
    const chunk = (completion_tokens: number) => ({
      choices: [{ index: 0, delta: { content: 'a' } }],
      usage: { prompt_tokens: 5, completion_tokens },
    });
    const { stream } = follow(openaiChatUpstream, chunk(1), chunk(90));
    assert.equal(stream.usage?.output, 90);
  });

  test('is what a responses upstream reported with its failure', () => {
    const { stream } = follow(
      openaiResponsesUpstream,
      { type: 'response.created', response: { id: 'r', usage: null } },
      { type: 'response.failed', response: { error: { message: 'no' }, usage: { input_tokens: 4, output_tokens: 6 } } },
    );
    assert.deepEqual([stream.complaint?.message, stream.usage?.output], ['no', 6]);
  });
});
