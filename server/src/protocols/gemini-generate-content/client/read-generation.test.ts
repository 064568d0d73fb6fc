import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Generation } from '../../../neutral/generation.ts';
import { assertRefused } from '../../../testing/refusals.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { writeSealed, writeThoughtSignature } from '../signature.ts';
import { readGeneration } from './read-generation.ts';

const ROUTE = { model: 'm', stream: true };
const HI = { parts: [{ text: 'hi' }] };
const read = (body: JsonRecord): Generation => readGeneration({ contents: [HI], ...body }, ROUTE);
const turns = (...contents: object[]) => read({ contents });

describe('a conversation', () => {
  test('keeps instructions, roles and text, in either spelling', () => {
    const { messages, model, stream, unknown } = read({
      system_instruction: { role: 'user', parts: [{ text: 'be brief' }] },
      contents: [HI, { role: 'model', parts: [{ text: 'yes' }] }],
    });
    assert.deepEqual([model, stream, unknown], ['m', true, []]);
    assert.deepEqual(
      messages.map(({ role, content }) => [role, content[0]?.type === 'text' && content[0].text]),
      [
        ['system', 'be brief'],
        ['user', 'hi'],
        ['assistant', 'yes'],
      ],
    );
    assert.equal(messages[2]?.content[0]?.path, 'contents[1].parts[0]');
  });

  test('keeps media by data and by address; files of the vendor are known to nobody else', () => {
    const { messages } = turns({
      parts: [
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        { inline_data: { mime_type: 'audio/wav', data: 'BBBB' } },
        { inlineData: { mimeType: 'text/plain', data: Buffer.from('Grüße').toString('base64') } },
        { fileData: { fileUri: 'https://x.test/a.mp4' } },
        {
          fileData: {
            fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc',
            mimeType: 'application/pdf',
          },
        },
      ],
    });
    assert.deepEqual(
      messages[0]?.content.map((part) => part.type === 'media' && [part.kind, part.source]),
      [
        ['image', { by: 'data', data: 'AAAA', mediaType: 'image/png' }],
        ['audio', { by: 'data', data: 'BBBB', mediaType: 'audio/wav' }],
        ['file', { by: 'text', text: 'Grüße', mediaType: 'text/plain' }],
        ['video', { by: 'url', url: 'https://x.test/a.mp4', mediaType: 'video/mp4' }],
        ['file', { by: 'id', id: 'https://generativelanguage.googleapis.com/v1beta/files/abc' }],
      ],
    );
  });

  test('pairs results with calls by id, else by name and order', () => {
    const call = (name: string, id?: string) => ({ functionCall: { name, args: { name }, ...(id && { id }) } });
    const result = (name: string, response: object, id?: string) => ({
      functionResponse: { name, response, ...(id && { id }) },
    });
    const { messages } = turns(
      { role: 'model', parts: [call('f'), call('f'), call('g', 'own')] },
      {
        parts: [
          result('g', { output: 'gee' }, 'own'),
          result('f', { error: 'bad' }),
          result('f', { rows: [1] }),
          { text: 'go on' },
        ],
      },
    );
    const calls = messages[0]?.content.map((part) => part.type === 'tool-call' && part.id) ?? [];
    assert.equal(new Set(calls).size, 3);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['assistant', 'tool', 'user'],
    );
    assert.deepEqual(
      messages[1]?.content.map(
        (part) =>
          part.type === 'tool-result' && [
            part.callId,
            part.isError,
            part.content.map((one) => one.type === 'text' && one.text),
          ],
      ),
      [
        ['own', false, ['gee']],
        [calls[0], true, ['bad']],
        [calls[1], false, ['{"rows":[1]}']],
      ],
    );
  });

  test('keeps images in results', () => {
    const { messages } = turns({
      parts: [
        {
          functionResponse: {
            name: 'f',
            response: { output: 'see' },
            parts: [{ inlineData: { mimeType: 'image/png', data: 'AA' } }],
          },
        },
      ],
    });
    const [part] = messages[0]?.content ?? [];
    assert.deepEqual(part?.type === 'tool-result' && part.content.map(({ type }) => type), ['text', 'media']);
  });

  test('joins the pieces of a streamed thought to what its signature proves', () => {
    const foreign = { protocol: 'anthropic-messages', value: 'sig==' };
    const { messages } = turns({
      role: 'model',
      parts: [
        { text: 'I ', thought: true },
        { text: 'think', thought: true },
        { text: '', thought: true, thoughtSignature: writeThoughtSignature(foreign) },
        { text: '', thought: true, thoughtSignature: writeSealed(foreign) },
        { functionCall: { name: 'f', id: '1' }, thoughtSignature: 'own' },
      ],
    });
    assert.deepEqual(messages[0]?.content, [
      { type: 'reasoning', text: 'I think', signature: foreign, path: 'contents[0].parts[0]' },
      { type: 'reasoning', text: '', sealed: foreign, path: 'contents[0].parts[3]' },
      {
        type: 'tool-call',
        id: '1',
        name: 'f',
        arguments: '{}',
        signature: { protocol: 'gemini-generate-content', value: 'own' },
        path: 'contents[0].parts[4]',
      },
    ]);
    assert.match(writeThoughtSignature(foreign), /^[A-Za-z0-9+/]+=*$/, 'the vendor decodes it as bytes');
  });

  test('is put together again where the vendor library sends every piece of a stream as a turn', () => {
    const piece = (part: object) => ({ role: 'model', parts: [part] });
    const { messages } = turns(
      HI,
      piece({ text: '' }),
      piece({ text: 'I ', thought: true }),
      piece({ text: 'think', thought: true }),
      piece({ text: '', thought: true, thoughtSignature: 's' }),
      piece({ text: 'Hel' }),
      piece({ text: 'lo' }),
      piece({ functionCall: { name: 'f', id: '1' } }),
      piece({ text: '' }),
    );
    assert.equal(messages.length, 2);
    assert.deepEqual(
      messages[1]?.content.map((part) => [part.type, 'text' in part ? part.text : '']),
      [
        ['reasoning', 'I think'],
        ['text', 'Hello'],
        ['tool-call', ''],
      ],
    );
  });

  test('is refused by the field that is wrong', () => {
    assertRefused(
      () => turns({ role: 'system', ...HI }),
      "'contents[0].role' must be 'user' or 'model'.",
      'contents[0].role',
    );
    assertRefused(
      () => turns({ parts: [{ text: 1 }] }),
      "'contents[0].parts[0].text' must be a string.",
      'contents[0].parts[0].text',
    );
    const path = 'contents[0].parts[0].functionResponse.response';
    assertRefused(
      () => turns({ parts: [{ functionResponse: { name: 'f', response: 'x' } }] }),
      `'${path}' must be an object.`,
      path,
    );
    const media = 'contents[0].parts[0].inlineData.mimeType';
    assertRefused(() => turns({ parts: [{ inlineData: { data: 'x' } }] }), `'${media}' must be a string.`, media);
  });
});
