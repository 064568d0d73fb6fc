// Values nested without end can be parsed, but not written again: they count as unreadable.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anthropicMessagesClient, anthropicMessagesUpstream } from '../anthropic-messages/index.ts';
import { CallNames } from '../translation/call-names.ts';
import { geminiClient, geminiUpstream, readGenerateContent } from '../gemini-generate-content/index.ts';
import { parseRecord } from './json-value.ts';
import { openaiChatClient, openaiChatUpstream } from '../openai-chat/index.ts';
import { StreamError } from '../protocol.ts';
import type { AnswerContext, ClientSide, UpstreamSide } from '../text-protocol.ts';
import { TranslatedStream } from '../translation/translated-stream.ts';

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const DEEP = deep(20_000);
const context: AnswerContext = {
  id: 'id',
  created: 0,
  generation: { model: 'm', stream: true, messages: [], tools: [], settings: {}, showsUsage: true, unknown: [] },
};
const use = `{"type":"tool_use","id":"t","name":"f","input":${DEEP}}`;
const call = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":${DEEP}}}]},"finishReason":"STOP"}]}`;
const follow = (upstream: UpstreamSide, client: ClientSide): TranslatedStream =>
  new TranslatedStream(upstream.readStream(), client.writeStream(context), { names: new CallNames('id') });

describe('values that are nested too deep', () => {
  test('are no record, and those of a usual depth are', () => {
    assert.equal(parseRecord(DEEP), undefined);
    assert.equal(parseRecord(Buffer.from(`{"text":"${'[{'.repeat(2_000)}\\"","b":[]}`))?.['b'] !== undefined, true);
    assert.notEqual(parseRecord(deep(400)), undefined);
  });

  test('make a whole answer none of the protocol', () => {
    assert.equal(anthropicMessagesUpstream.readResult(Buffer.from(`{"type":"message","content":[${use}]}`)), undefined);
    assert.equal(geminiUpstream.readResult(Buffer.from(call)), undefined);
  });

  test('make a stream that begins with them none of the protocol, and are skipped later', () => {
    assert.throws(() => follow(geminiUpstream, openaiChatClient).push(Buffer.from(`data: ${call}\n\n`)), StreamError);
    const stream = follow(anthropicMessagesUpstream, openaiChatClient);
    stream.push(Buffer.from('data: {"type":"message_start","message":{}}\n\n'));
    const block = `data: {"type":"content_block_start","index":0,"content_block":${use}}\n\n`;
    assert.equal(stream.push(Buffer.from(block)), undefined);
  });

  test('do not break the reading of a last event without its closing line', () => {
    for (const upstream of [geminiUpstream, anthropicMessagesUpstream, openaiChatUpstream]) {
      const stream = follow(upstream, openaiChatClient);
      stream.push(Buffer.from(`data: ${call}`));
      assert.equal(stream.isComplete(), false);
    }
    const relayed = readGenerateContent(Buffer.from('{"contents":[{"parts":[{"text":"a"}]}]}'), {
      model: 'm',
      stream: true,
      framing: 'events',
    }).readStream();
    relayed.push(Buffer.from(`data: ${call}`));
    assert.equal(relayed.isComplete(), false);
  });

  test('stay text where they are the arguments of a call', () => {
    const content = [{ type: 'tool-call' as const, id: 'c', name: 'f', arguments: DEEP, path: '' }];
    const result = { id: 'r', content, finish: { reason: 'tool-calls' as const }, usage: undefined };
    for (const client of [anthropicMessagesClient, geminiClient]) {
      assert.match(client.writeResult(result, context).toString(), /"arguments":"/);
    }
  });
});
