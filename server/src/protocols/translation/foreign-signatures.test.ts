import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readMessages } from '../anthropic-messages/index.ts';
import { readGenerateContent } from '../gemini-generate-content/index.ts';
import { asRecord, type JsonRecord } from '../json/json-value.ts';
import { readChat } from '../openai-chat/index.ts';
import { readResponse } from '../openai-responses/index.ts';
import type { RelayRequest } from '../protocol.ts';

const target = { upstreamModel: 'm', dropFields: [] };
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const readContent = (body: Buffer): RelayRequest =>
  readGenerateContent(body, { model: 'm', stream: false, framing: 'events' });

function written(read: (body: Buffer) => RelayRequest, body: object, model = 'm'): JsonRecord {
  const bytes = read(Buffer.from(JSON.stringify(body))).write({ ...target, upstreamModel: model });
  assert.ok(Buffer.isBuffer(bytes));
  return asRecord(JSON.parse(bytes.toString())) ?? {};
}

describe('proofs in a request for an upstream of the same protocol', () => {
  test('of other protocols are left out of chat, and those of chat are bare again', () => {
    const call = (thought_signature: string) => ({
      id: 'c',
      type: 'function',
      function: { name: 'f', arguments: '{}' },
      extra_content: { google: { thought_signature } },
    });
    const details = [
      { type: 'reasoning.text', text: 'a', signature: 'tg1.anthropic-messages.S' },
      { type: 'reasoning.encrypted', data: 'tg1.openai-responses.id:D' },
      { type: 'reasoning.text', text: 'own', signature: 'bare' },
      { type: 'reasoning.text', text: 'own', signature: 'tg1.openai-chat.S2' },
    ];
    const turn = {
      role: 'assistant',
      content: 'x',
      reasoning_content: 'a',
      reasoning_details: details,
      tool_calls: [call('tg1.gemini-generate-content.G'), call('tg1.openai-chat.call:C'), call('bare')],
    };
    const user = { role: 'user', content: 'what is tg1.anthropic-messages.S?' };
    const { messages } = written(readChat, {
      model: 'm',
      messages: [user, turn, { ...turn, reasoning_details: [details[0]] }],
    });
    const { extra_content: _, ...unsigned } = call('');
    const cleaned = {
      ...turn,
      reasoning_details: [details[2], { ...details[3], signature: 'S2' }],
      tool_calls: [unsigned, call('C'), call('bare')],
    };
    const { reasoning_details: __, ...rest } = cleaned;
    assert.deepEqual(messages, [user, cleaned, rest]);
  });

  test('of other protocols are left out of responses, and those of responses are bare again', () => {
    const item = (encrypted_content: string) => ({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content });
    const own = item('bare');
    const { input } = written(readResponse, {
      model: 'm',
      input: [
        { role: 'user', content: 'hi' },
        item('tg1.anthropic-messages.S'),
        item('tg1s.anthropic-messages.S'),
        own,
        item('tg1.openai-responses.rs_9:D'),
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      ],
    });
    assert.deepEqual(input, [
      { role: 'user', content: 'hi' },
      own,
      { ...own, id: 'rs_9', encrypted_content: 'D' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    ]);
  });

  test('of other protocols are left out of messages, with turns of which nothing is left', () => {
    const thinking = (signature: string) => ({ type: 'thinking', thinking: 't', signature });
    const redacted = (data: string) => ({ type: 'redacted_thinking', data });
    const { messages } = written(readMessages, {
      model: 'm',
      max_tokens: 5,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [thinking('tg1.gemini-generate-content.G')] },
        {
          role: 'assistant',
          content: [
            thinking('tg1.openai-chat.call:x'),
            thinking('bare'),
            redacted('tg1.openai-responses.D'),
            redacted('tg1.anthropic-messages.R'),
            { type: 'tool_use', id: 't', name: 'f', input: { n: 1 } },
          ],
        },
      ],
    });
    assert.deepEqual(messages, [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [thinking('bare'), redacted('R'), { type: 'tool_use', id: 't', name: 'f', input: { n: 1 } }],
      },
    ]);
  });

  test('of other protocols are left out of generate-content, in both spellings', () => {
    const foreign = base64('tg1.anthropic-messages.S');
    const call = { functionCall: { name: 'f', args: {} } };
    const body = {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        {
          role: 'model',
          parts: [
            { text: 'a', thought: true, thoughtSignature: foreign },
            { text: '', thought: true, thoughtSignature: base64('tg1s.anthropic-messages.R') },
            { text: 'said', thought_signature: foreign },
            { ...call, thoughtSignature: foreign },
            { ...call, thoughtSignature: 'bare' },
          ],
        },
        { role: 'model', parts: [{ text: '', thoughtSignature: foreign }] },
      ],
    };
    const cleaned = (first: object) => [
      body.contents[0],
      { role: 'model', parts: [{ text: 'said' }, { ...call, ...first }, { ...call, thoughtSignature: 'bare' }] },
    ];
    assert.deepEqual(written(readContent, body)['contents'], cleaned({}));
    assert.deepEqual(
      written(readContent, body, 'gemini-3-pro')['contents'],
      cleaned({ thoughtSignature: 'skip_thought_signature_validator' }),
    );
  });

  test('of the protocol itself leave the bytes as they are, also beside numbers that no number type holds', () => {
    const sign =
      '"reasoning_details":[{"type":"reasoning.text","text":"a","signature":"tg1.gemini-generate-content.G"}]';
    const plain = '{"role":"assistant", "content":"tg1.x", "big":12345678901234567890}';
    const body = `{"model":"m","messages":[{"role":"user","content":"a"}, ${plain},{"role":"assistant",${sign}}]}`;
    const bytes = readChat(Buffer.from(body)).write(target);
    assert.ok(Buffer.isBuffer(bytes));
    assert.ok(bytes.includes(plain));
    assert.ok(!bytes.includes('tg1.gemini'));
    const untouched = Buffer.from('{"model":"m","messages":[{"role":"user","content":"a"}]}');
    assert.equal(readChat(untouched).write(target), untouched);
  });
});
