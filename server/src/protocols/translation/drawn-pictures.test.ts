// What a generate-content upstream may say that other protocols have no word for: pictures, and stops that are none.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readMessages } from '../anthropic-messages/index.ts';
import { asList, asRecord, type JsonRecord, parseRecord } from '../json/json-value.ts';
import { readChat } from '../openai-chat/index.ts';
import { readResponse } from '../openai-responses/index.ts';
import { readCompletion } from '../openai-completions/index.ts';
import type { Operation, RelayRequest } from '../protocol.ts';
import { textProtocols } from '../text-protocols.ts';
import { translateRequest } from './translate.ts';

const PICTURE = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
const answerOf = (parts: object[], finishReason = 'STOP'): JsonRecord => ({
  candidates: [{ content: { parts, role: 'model' }, finishReason, index: 0 }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5 },
});
const user = [{ role: 'user', content: 'hi' }];

function asked(operation: Operation, stream: boolean): RelayRequest {
  const bytes = (body: object): Buffer => Buffer.from(JSON.stringify({ model: 'm', stream, ...body }));
  const requests: Partial<Record<Operation, () => RelayRequest>> = {
    chat: () => readChat(bytes({ messages: user })),
    responses: () => readResponse(bytes({ input: 'hi' })),
    messages: () => readMessages(bytes({ messages: user, max_tokens: 9 })),
    completions: () => readCompletion(bytes({ prompt: 'hi' })),
  };
  const [from, to] = [textProtocols.get(operation)?.client, textProtocols.get('generate-content')?.upstream];
  const request = requests[operation]?.();
  assert.ok(from !== undefined && to !== undefined && request !== undefined);
  const sides = { from, to, id: 'ID', created: 7, strict: false, defaultMaxOutput: 9 };
  const translated = translateRequest(request, sides);
  assert.ok(translated !== undefined);
  translated.write({ upstreamModel: 'm', dropFields: [] });
  return translated;
}

function whole(operation: Operation, answer: JsonRecord): { body: JsonRecord; dropped: readonly string[] } {
  const request = asked(operation, false);
  const body = parseRecord(request.writeAnswer?.(Buffer.from(JSON.stringify(answer))) ?? Buffer.from(''));
  return { body: body ?? {}, dropped: request.dropped ?? [] };
}

function streamed(operation: Operation, answer: JsonRecord): string {
  const reader = asked(operation, true).readStream();
  const text = reader.push(Buffer.from(`data: ${JSON.stringify(answer)}\r\n\r\n`))?.toString() ?? '';
  assert.ok(reader.isComplete());
  return text + (reader.last?.toString() ?? '');
}

const choice = (body: JsonRecord): JsonRecord => asRecord(asList(body['choices'])[0]) ?? {};
const DRAWN = answerOf([{ text: 'Here:' }, PICTURE, { text: 'Done.' }]);

describe('pictures that a model draws', () => {
  test('reach chat clients as message.images, and as delta.images', () => {
    const url = 'data:image/png;base64,AAAA';
    const message = asRecord(choice(whole('chat', DRAWN).body)['message']);
    assert.deepEqual(message?.['images'], [{ type: 'image_url', image_url: { url } }]);
    assert.equal(message?.['content'], 'Here:Done.');
    assert.ok(
      streamed('chat', DRAWN).includes(
        `"delta":{"images":[{"type":"image_url","image_url":{"url":"${url}"},"index":0}]}`,
      ),
    );
  });

  test('reach responses clients as image_generation_call items', () => {
    const items = asList(whole('responses', DRAWN).body['output']).map((item) => asRecord(item) ?? {});
    assert.deepEqual(
      items.map(({ type, result }) => [type, result]),
      [
        ['message', undefined],
        ['image_generation_call', 'AAAA'],
        ['message', undefined],
      ],
    );
    const events = [...streamed('responses', DRAWN).matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => parseRecord(data ?? '') ?? {},
    );
    const drawn = events.filter((event) => JSON.stringify(event).includes('ig_ID'));
    assert.deepEqual(
      drawn.map(({ type }) => type),
      [
        'response.output_item.added',
        'response.image_generation_call.in_progress',
        'response.image_generation_call.completed',
        'response.output_item.done',
        'response.completed',
      ],
    );
    assert.deepEqual(
      events.map((event) => event['sequence_number']),
      events.map((_, index) => index),
    );
  });

  for (const operation of ['messages', 'completions'] as const)
    test(`are named as dropped for clients of ${operation}, whole and streamed`, () => {
      const { body, dropped } = whole(operation, DRAWN);
      assert.deepEqual(
        dropped.filter((path) => path.startsWith('response.')),
        ['response.content[1]'],
      );
      assert.ok(!JSON.stringify(body).includes('AAAA'));
      const text = streamed(operation, DRAWN);
      assert.match(text, /^: x-tollgate-dropped response\.content\[1\]$/m);
      assert.ok(!text.includes('AAAA') && text.includes('Done.'));
    });
});

describe('a model that breaks off with what nobody can use is no good stop', () => {
  for (const word of ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'OTHER', 'NO_IMAGE'])
    test(word, () => {
      const answer = answerOf([], word);
      assert.equal(choice(whole('chat', answer).body)['finish_reason'], 'content_filter');
      assert.match(streamed('chat', answer), /"finish_reason":"content_filter"/);
      assert.equal(choice(whole('completions', answer).body)['finish_reason'], 'content_filter');
      const message = whole('messages', answer).body;
      assert.equal(message['stop_reason'], 'refusal');
      assert.match(String(asRecord(message['stop_details'])?.['explanation']), /broke off/);
      assert.match(streamed('messages', answer), /"stop_reason":"refusal"/);
      const response = whole('responses', answer).body;
      assert.deepEqual(
        [response['status'], response['incomplete_details']],
        ['incomplete', { reason: 'content_filter' }],
      );
      assert.match(streamed('responses', answer), /^event: response\.incomplete$/m);
    });
});
