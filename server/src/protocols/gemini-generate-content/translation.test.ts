import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { writtenText } from '../../testing/written-text.ts';
import { openaiChatClient, openaiChatUpstream, readChat } from '../openai-chat/index.ts';
import { translateRequest } from '../translation/translate.ts';
import { geminiClient, geminiUpstream, readGenerateContent } from './index.ts';

const facts = { id: 'abc', created: 1, strict: false, defaultMaxOutput: 100 };
const target = { upstreamModel: 'up', dropFields: [] };
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

describe('a client of this protocol at an upstream of chat completions', () => {
  const body = Buffer.from(
    JSON.stringify({
      contents: [{ parts: [{ text: 'hi' }] }],
      systemInstruction: { parts: [{ text: 's' }] },
      safetySettings: [{}],
    }),
  );
  const open = (framing: 'events' | 'array') => {
    const request = readGenerateContent(body, { model: 'm', stream: true, framing });
    const translated = translateRequest(request, { ...facts, from: geminiClient, to: openaiChatUpstream });
    assert.ok(translated !== undefined);
    return translated;
  };

  test('is written in its terms, and what it does not support is named', () => {
    const request = open('events');
    const sent = JSON.parse(writtenText(request.write(target))) as {
      model: string;
      messages: object[];
      stream: boolean;
    };
    assert.deepEqual([sent.model, sent.stream, sent.messages.length], ['up', true, 2]);
    assert.deepEqual(request.dropped, ['safetySettings']);
  });

  test('gets its stream as an array where it did not ask for events, the end of it after the money', () => {
    const request = open('array');
    const reader = request.readStream();
    const written = reader
      .push(Buffer.from(chunk({ content: 'a' }) + chunk({}, 'stop') + 'data: [DONE]\n\n'))
      ?.toString();
    assert.equal(reader.ended, true);
    const events = JSON.parse(`${written}${reader.last?.toString()}`) as { candidates: { finishReason?: string }[] }[];
    assert.deepEqual(
      events.map(({ candidates }) => candidates[0]?.finishReason),
      [undefined, 'STOP'],
    );
    const error = { message: 'm', type: 't', param: null, code: 'upstream_error' };
    assert.match(request.framing?.errorEvent(error).toString() ?? '', /^,\r\n\{"error".*\]$/);
  });
});

describe('a client of chat completions at an upstream of this protocol', () => {
  const request = translateRequest(
    readChat(Buffer.from('{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}')),
    { ...facts, from: openaiChatClient, to: geminiUpstream },
  );
  const piece = (parts: object[], more: object = {}): string =>
    `data: ${JSON.stringify({ candidates: [{ content: { parts }, ...more }], responseId: 'r' })}\r\n\r\n`;

  test('gets calls with ids, and the end only when the upstream has ended', () => {
    const reader = request?.readStream();
    assert.ok(reader !== undefined);
    const written = reader
      .push(Buffer.from(piece([{ functionCall: { name: 'f', args: { a: 1 } } }], { finishReason: 'STOP' })))
      ?.toString();
    assert.match(written ?? '', /"id":"call_abc0"/);
    assert.equal(reader.ended, false);
    assert.equal(reader.isComplete(), true);
    assert.match(reader.last?.toString() ?? '', /"finish_reason":"tool_calls".*\[DONE\]/s);
  });
});
