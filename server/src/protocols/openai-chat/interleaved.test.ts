import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { foldParts } from '../../neutral/fold-parts.ts';
import type { OutputPart } from '../../neutral/generation.ts';
import type { Part } from '../../neutral/conversation.ts';
import type { StreamPart } from '../../neutral/stream-part.ts';
import { openaiResponsesClient, readResponse } from '../openai-responses/index.ts';
import { asList, asRecord, asText, type JsonRecord, parseRecord } from '../json/json-value.ts';
import { eventsOf } from '../stream/sse.ts';
import type { AnswerContext, ClientSide } from '../text-protocol.ts';
import { openaiChatClient, readChat } from './index.ts';

const signed = (value: string): TextOrCall => ({
  type: 'reasoning',
  text: `thought ${value}`,
  signature: { protocol: 'anthropic-messages', value },
  path: '',
});
const sealed = (value: string): TextOrCall => ({
  type: 'reasoning',
  text: '',
  sealed: { protocol: 'anthropic-messages', value },
  path: '',
});
const text = (value: string): TextOrCall => ({ type: 'text', text: value, path: '' });
const call = (id: string): TextOrCall => ({ type: 'tool-call', id, name: 'f', arguments: '{}', path: '' });
const context: AnswerContext = {
  id: 'Id',
  created: 1,
  generation: { model: 'm', stream: false, messages: [], tools: [], settings: {}, showsUsage: false, unknown: [] },
};

const turns: Record<string, TextOrCall[]> = {
  'thought, text, thought, call': [signed('S1'), text('so'), signed('S2'), call('c1')],
  'text between thoughts': [signed('S1'), text('one '), sealed('D'), text('two'), signed('S3')],
  'thoughts between calls': [text('a'), signed('S1'), call('c1'), sealed('D'), call('c2')],
  'thought before all': [signed('S1'), text('so'), call('c1')],
};

/** Pictures are not sent back. */
type TextOrCall = Exclude<OutputPart, { type: 'picture' }>;

const bare = (parts: readonly Part[]): unknown[] => parts.map((part) => ({ ...part, path: '' }));

function streamed(content: readonly TextOrCall[]): StreamPart[] {
  const blocks = content.flatMap((part, index): StreamPart[] => {
    const { path: _, ...rest } = part;
    if (rest.type === 'tool-call')
      return [
        { type: 'block-start', index, block: { type: 'tool-call', id: rest.id, name: rest.name } },
        { type: 'delta', index, text: rest.arguments },
        { type: 'block-end', index },
      ];
    const signature = rest.type === 'reasoning' ? rest.signature : undefined;
    const seal = rest.type === 'reasoning' ? rest.sealed : undefined;
    return [
      { type: 'block-start', index, block: { type: rest.type, ...(seal !== undefined && { sealed: seal }) } },
      { type: 'delta', index, text: rest.text },
      ...(signature === undefined ? [] : [{ type: 'signature' as const, index, signature }]),
      { type: 'block-end', index },
    ];
  });
  return [{ type: 'start', id: 'r' }, ...blocks, { type: 'finish', finish: { reason: 'stop' }, usage: undefined }];
}

/** What a chat client gathers from the pieces. */
function gather(client: ClientSide, parts: readonly StreamPart[]): JsonRecord {
  const writer = client.writeStream(context);
  const reported = parts.map((part) => writer.write(part)).join('');
  const message: JsonRecord = { role: 'assistant', content: '', reasoning_details: [], tool_calls: [] };
  for (const { data = '' } of eventsOf(Buffer.from(reported))) {
    const delta = asRecord(asRecord(asList(parseRecord(data)?.['choices'])[0])?.['delta']) ?? {};
    message['content'] = `${String(message['content'])}${typeof delta['content'] === 'string' ? delta['content'] : ''}`;
    asList(message['reasoning_details']).push(...asList(delta['reasoning_details']));
    for (const one of asList(delta['tool_calls'])) {
      const piece = asRecord(one) ?? {};
      const calls = asList(message['tool_calls']);
      const known = asRecord(asRecord(calls[Number(piece['index'])])?.['function']);
      if (known === undefined) calls.push(piece);
      else
        known['arguments'] = `${String(known['arguments'])}${asText(asRecord(piece['function'])?.['arguments']) ?? ''}`;
    }
  }
  return message;
}

describe('thoughts between words and calls', () => {
  for (const [name, content] of Object.entries(turns)) {
    const result = { id: 'r', content, finish: { reason: 'stop' as const }, usage: undefined };
    const back = (message: unknown): unknown[] => {
      const request = readChat(Buffer.from(JSON.stringify({ model: 'm', messages: [message] })));
      return bare(request.readGeneration?.().messages[0]?.content ?? []);
    };

    test(`come back through a chat client where they stood: ${name}`, () => {
      const answer = parseRecord(openaiChatClient.writeResult(result, context));
      assert.deepEqual(back(asRecord(asList(answer?.['choices'])[0])?.['message']), bare(content));
    });

    test(`come back through a streaming chat client where they stood: ${name}`, () => {
      const parts = streamed(content);
      assert.deepEqual(
        bare((foldParts(parts)?.content ?? []) as TextOrCall[]),
        bare(content),
        'the parts are the same answer',
      );
      assert.deepEqual(back(gather(openaiChatClient, parts)), bare(content));
    });

    test(`come back through a responses client where they stood: ${name}`, () => {
      const answer = parseRecord(openaiResponsesClient.writeResult(result, context));
      const request = readResponse(Buffer.from(JSON.stringify({ model: 'm', input: answer?.['output'] })));
      assert.deepEqual(bare(request.readGeneration?.().messages[0]?.content ?? []), bare(content));
    });
  }

  test('stand first where their place is none', () => {
    const details = [{ type: 'reasoning.text', text: 't', signature: 's', position: { content: -1, tool_calls: 'x' } }];
    const message = { role: 'assistant', content: 'a', reasoning_details: details };
    const request = readChat(Buffer.from(JSON.stringify({ model: 'm', messages: [message] })));
    const types = request.readGeneration?.().messages[0]?.content.map(({ type }) => type);
    assert.deepEqual(types, ['reasoning', 'text']);
  });
});
