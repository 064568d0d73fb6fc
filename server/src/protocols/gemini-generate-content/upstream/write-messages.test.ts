import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MediaPart, Message, Part, Signature } from '../../../neutral/conversation.ts';
import { HELLO, message, text, write } from '../testing/generation.ts';

const say = (...messages: Message[]) => write({ messages });
const contents = (messages: Message[], model?: string) => write({ messages }, model).body['contents'];
const own = (value: string): Signature => ({ protocol: 'gemini-generate-content', value });
const call = (id: string, more: object = {}): Part => ({
  type: 'tool-call',
  id,
  name: `f${id}`,
  arguments: '{"x":1}',
  path: 'p',
  ...more,
});
const result = (callId: string, value: string, more: object = {}): Part => ({
  type: 'tool-result',
  callId,
  content: [{ type: 'text', text: value, path: 'p' }],
  isError: false,
  path: 'p',
  ...more,
});
const media = (kind: MediaPart['kind'], source: MediaPart['source'], more: object = {}): MediaPart => ({
  type: 'media',
  kind,
  source,
  path: 'media',
  ...more,
});
const reasoning = (value: string, signature?: Signature): Part => ({
  type: 'reasoning',
  text: value,
  ...(signature !== undefined && { signature }),
  path: 'p',
});
const written = (id: string, more: object = {}): object => ({
  functionCall: { id, name: `f${id}`, args: { x: 1 } },
  ...more,
});

describe('a conversation for an upstream of this protocol', () => {
  test('has its instructions apart, wherever they stood', () => {
    const { body } = say(
      message('system', text('a')),
      HELLO,
      message('system', text('b')),
      message('user', text('go')),
    );
    assert.deepEqual(body['systemInstruction'], { parts: [{ text: 'a' }, { text: 'b' }] });
    assert.deepEqual(body['contents'], [{ role: 'user', parts: [{ text: 'hi' }, { text: 'go' }] }]);
    assert.deepEqual(say(message('system', text('a'))).body, { contents: [{ role: 'user', parts: [{ text: 'a' }] }] });
  });

  test('has all calls in one turn and all their results in the next', () => {
    const turns = contents([
      HELLO,
      message('assistant', text('well'), call('1')),
      message('assistant', call('2')),
      message('tool', result('1', '{"ok":true}')),
      message('tool', result('2', 'fine'), result('3', 'bad', { isError: true, name: 'g' })),
      message('user', text('and?')),
    ]);
    const response = (id: string, name: string, reported: object) => ({
      functionResponse: { id, name, response: reported },
    });
    assert.deepEqual(turns, [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ text: 'well' }, written('1'), written('2')] },
      {
        role: 'user',
        parts: [
          response('1', 'f1', { ok: true }),
          response('2', 'f2', { output: 'fine' }),
          response('3', 'g', { error: 'bad' }),
        ],
      },
      { role: 'user', parts: [{ text: 'and?' }] },
    ]);
  });

  test('keeps media by data and by address, also in results, and names what only others know', () => {
    const { body, dropped } = say(
      message(
        'user',
        media('image', { by: 'data', data: 'AA', mediaType: 'image/png' }, { detail: 'auto' }),
        media('image', { by: 'url', url: 'https://x.test/a.webp?b=1' }),
        media('audio', { by: 'data', data: 'BB', mediaType: 'audio/wav' }),
        media('video', { by: 'url', url: 'https://youtu.be/x' }),
        media('file', { by: 'text', text: 'words', mediaType: 'text/plain' }, { title: 'T' }),
        media('file', { by: 'id', id: 'file-1' }),
      ),
      message('assistant', call('1')),
      message(
        'tool',
        result('1', 'see', { content: [media('image', { by: 'data', data: 'AA', mediaType: 'image/png' })] }),
      ),
    );
    const [first, , third] = body['contents'] as { parts: object[] }[];
    assert.deepEqual(first?.parts, [
      { inlineData: { mimeType: 'image/png', data: 'AA' } },
      { fileData: { mimeType: 'image/webp', fileUri: 'https://x.test/a.webp?b=1' } },
      { inlineData: { mimeType: 'audio/wav', data: 'BB' } },
      { fileData: { mimeType: 'video/mp4', fileUri: 'https://youtu.be/x' } },
      { text: 'T\n\nwords' },
    ]);
    assert.deepEqual(third?.parts, [
      {
        functionResponse: {
          id: '1',
          name: 'f1',
          response: { output: '' },
          parts: [{ inlineData: { mimeType: 'image/png', data: 'AA' } }],
        },
      },
    ]);
    assert.deepEqual(dropped, ['media']);
  });

  test('shows only signatures of its own, and puts one that came without words at the call behind it', () => {
    const foreign = { protocol: 'anthropic-messages', value: 'x' };
    const turns = contents([
      HELLO,
      message(
        'assistant',
        reasoning('unsigned'),
        reasoning('foreign', foreign),
        reasoning('mine', own('s1')),
        text('so'),
        reasoning('', own('s2')),
        reasoning('', own('s3')),
        call('1'),
        call('2', { signature: foreign }),
        call('3', { signature: own('s4') }),
        reasoning('', own('s5')),
      ),
    ]);
    assert.deepEqual((turns as { parts: object[] }[])[1]?.parts, [
      { text: 'mine', thought: true, thoughtSignature: 's1' },
      { text: 'so' },
      { text: '', thoughtSignature: 's2' },
      written('1', { thoughtSignature: 's3' }),
      written('2'),
      written('3', { thoughtSignature: 's4' }),
      { text: '', thoughtSignature: 's5' },
    ]);
  });

  test('says for models that insist that a call has no proof, at the first call of a turn only', () => {
    const turn = message('assistant', call('1'), call('2'));
    const first = (model: string) => (contents([HELLO, turn], model) as { parts: object[] }[])[1]?.parts;
    assert.deepEqual(first('gemini-3-pro-preview'), [
      written('1', { thoughtSignature: 'skip_thought_signature_validator' }),
      written('2'),
    ]);
    assert.deepEqual(first('gemini-2.5-pro'), [written('1'), written('2')]);
  });

  test('leaves out what is empty, keeps refusals and broken arguments, and names marks for the cache', () => {
    const { body, dropped } = say(
      message('user', text(''), { ...text('hi'), cacheMark: { path: 'p.cache_control' } }),
      message('assistant', { type: 'refusal', text: 'no', path: 'p' }, call('1', { arguments: 'oops' })),
      message('user', text('')),
    );
    assert.deepEqual(body['contents'], [
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: [{ text: 'no' }, { functionCall: { id: '1', name: 'f1', args: { arguments: 'oops' } } }],
      },
    ]);
    assert.deepEqual(dropped, ['p.cache_control']);
  });
});
