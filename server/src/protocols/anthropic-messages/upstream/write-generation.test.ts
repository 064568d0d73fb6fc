import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Part } from '../../../neutral/conversation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { call, HELLO, message, result, say, text, TOOL, write, type Written } from '../testing/generation.ts';

describe('the conversation', () => {
  test('is written with the required limit and nothing that was not asked for', () => {
    assert.deepEqual(write({ stream: true }).body, {
      model: 'claude-sonnet-4-5',
      max_tokens: 4096,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      stream: true,
    });
  });

  test('has its instructions apart, wherever they stood, and its roles in turn', () => {
    const { body } = say(
      message('system', text('one')),
      HELLO,
      message('user', text('there')),
      message('system', text('two')),
      message('assistant', text('a')),
      message('assistant', text('b')),
      message('user', text(' '), text('c')),
    );
    assert.deepEqual(body['system'], [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ]);
    const turn = (role: string, ...texts: string[]) => ({
      role,
      content: texts.map((value) => ({ type: 'text', text: value })),
    });
    assert.deepEqual(body['messages'], [turn('user', 'hi', 'there'), turn('assistant', 'a', 'b'), turn('user', 'c')]);
  });

  test('begins with the user even when the caller did not', () => {
    for (const messages of [[message('system', text('x'))], [message('assistant', text('x')), HELLO]]) {
      const [first] = write({ messages }).body['messages'] as JsonRecord[];
      assert.deepEqual(first, { role: 'user', content: [{ type: 'text', text: 'Continue.' }] });
    }
  });

  test('may end with an answer that was begun, where the model takes that', () => {
    const messages = [HELLO, message('assistant', text('So: '))];
    const last = (model: string): unknown => (write({ messages }, model).body['messages'] as JsonRecord[]).at(-1);
    assert.deepEqual(last('claude-sonnet-4-5'), { role: 'assistant', content: [{ type: 'text', text: 'So:' }] });
    assert.deepEqual(last('claude-opus-4-7'), { role: 'user', content: [{ type: 'text', text: 'Continue.' }] });
  });

  test('has results first in the turn after their calls, with errors, and ids that are taken', () => {
    const image: Part = { type: 'media', kind: 'image', source: { by: 'url', url: 'https://i' }, path: 'p' };
    const { body } = write({
      tools: [TOOL],
      messages: [
        HELLO,
        message('assistant', call('call.1'), call('call:1')),
        message('user', text('wait')),
        message(
          'tool',
          result('call.1'),
          result('call:1', { isError: true, content: [image, { type: 'text', text: 'bad', path: 'p' }] }),
        ),
      ],
    });
    const [, calls, results] = body['messages'] as { content: JsonRecord[] }[];
    assert.deepEqual(calls?.content, [
      { type: 'tool_use', id: 'call_1', name: 'f', input: { x: 1 } },
      { type: 'tool_use', id: 'call_1_2', name: 'f', input: { x: 1 } },
    ]);
    assert.deepEqual(results?.content, [
      { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'ok' }] },
      { type: 'tool_result', tool_use_id: 'call_1_2', content: [{ type: 'text', text: 'bad' }], is_error: true },
      { type: 'text', text: 'wait' },
      { type: 'image', source: { type: 'url', url: 'https://i' } },
    ]);
  });

  test('shows the model only its own thoughts', () => {
    const own = { protocol: 'anthropic-messages', value: 's' };
    const foreign = { protocol: 'openai-responses', value: 's' };
    const { body, dropped } = say(
      HELLO,
      message(
        'assistant',
        { type: 'reasoning', text: 'mine', signature: own, path: 'p' },
        { type: 'reasoning', text: '', sealed: own, path: 'p' },
        { type: 'reasoning', text: 'theirs', signature: foreign, path: 'p' },
        { type: 'reasoning', text: 'unsigned', path: 'p' },
        { type: 'refusal', text: 'No.', path: 'p' },
      ),
      HELLO,
    );
    assert.deepEqual((body['messages'] as JsonRecord[])[1]?.['content'], [
      { type: 'thinking', thinking: 'mine', signature: 's' },
      { type: 'redacted_thinking', data: 's' },
      { type: 'text', text: 'No.' },
    ]);
    assert.deepEqual(dropped, []);
  });

  test('keeps cache marks of texts, results and tools', () => {
    const cacheMark = { ttl: '1h', path: 'x' };
    const { body } = write({
      tools: [{ ...TOOL, cacheMark: { path: 'x' } }],
      messages: [message('user', { ...text('hi'), cacheMark })],
    });
    const block = { type: 'text', text: 'hi', cache_control: { type: 'ephemeral', ttl: '1h' } };
    assert.deepEqual(body['messages'], [{ role: 'user', content: [block] }]);
    assert.deepEqual((body['tools'] as JsonRecord[])[0]?.['cache_control'], { type: 'ephemeral' });
  });
});

describe('media', () => {
  const media = (kind: 'image' | 'audio' | 'video' | 'file', source: object, more: object = {}): Written =>
    say(message('user', text('see'), { type: 'media', kind, source, path: 'messages[0].content[1]', ...more } as Part));
  const block = (written: Written): unknown => (written.body['messages'] as { content: JsonRecord[] }[])[0]?.content[1];

  test('are written as images and documents', () => {
    assert.deepEqual(block(media('image', { by: 'data', data: 'AA==', mediaType: 'image/jpg' })), {
      type: 'image',
      source: { type: 'base64', media_type: 'image/jpeg', data: 'AA==' },
    });
    assert.deepEqual(block(media('image', { by: 'url', url: 'data:image/png;base64,AA==' })), {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AA==' },
    });
    assert.deepEqual(
      block(media('file', { by: 'data', data: 'AA==', mediaType: 'application/pdf' }, { filename: 'a.pdf' })),
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' },
        title: 'a.pdf',
      },
    );
    const words = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hé' } };
    const data = Buffer.from('hé').toString('base64');
    assert.deepEqual(block(media('file', { by: 'data', data, mediaType: 'text/csv; charset=utf-8' })), words);
    assert.deepEqual(block(media('file', { by: 'text', text: 'hé', mediaType: 'text/plain' })), words);
    assert.deepEqual(block(media('file', { by: 'url', url: 'https://x/a.pdf' })), {
      type: 'document',
      source: { type: 'url', url: 'https://x/a.pdf' },
    });
  });

  test('without a place are named and left out', () => {
    const cases = [
      media('audio', { by: 'data', data: 'AA==', mediaType: 'audio/wav' }),
      media('video', { by: 'url', url: 'https://v' }),
      media('image', { by: 'data', data: 'AA==', mediaType: 'image/tiff' }),
      media('image', { by: 'id', id: 'file-1' }),
      media('file', { by: 'data', data: 'AA==', mediaType: 'application/zip' }),
    ];
    for (const written of cases) {
      assert.equal(block(written), undefined);
      assert.deepEqual(written.dropped, ['messages[0].content[1]']);
    }
    const detailed = media('image', { by: 'url', url: 'https://i' }, { detail: 'low' });
    assert.deepEqual(detailed.dropped, ['messages[0].content[1].detail']);
    assert.deepEqual(media('image', { by: 'url', url: 'https://i' }, { detail: 'auto' }).dropped, []);
  });
});
