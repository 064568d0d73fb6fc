import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError, GoogleGenAI } from '@google/genai';
import { errorEvent } from './error.ts';

const PIECE = Buffer.from('data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}\n\n');
const BROKEN = errorEvent({ message: 'broke', code: 'upstream_error' });

describe('a broken stream is an error of the vendor’s library, however the network cuts it (contract 5)', () => {
  const cuts: Record<string, Buffer[]> = {
    'the error apart': [PIECE, BROKEN],
    'all at once': [Buffer.concat([PIECE, BROKEN])],
    'byte by byte': Array.from(Buffer.concat([PIECE, BROKEN]), (byte) => Buffer.of(byte)),
  };
  for (const [name, chunks] of Object.entries(cuts))
    test(name, async () => {
      const fetch = async (): Promise<Response> =>
        new Response(ReadableStream.from(chunks), { headers: { 'content-type': 'text/event-stream' } });
      const sdk = new GoogleGenAI({ apiKey: 'key', httpOptions: { fetch } });
      const texts: (string | undefined)[] = [];
      await assert.rejects(
        async () => {
          for await (const { text } of await sdk.models.generateContentStream({ model: 'm', contents: 'hi' }))
            texts.push(text);
        },
        (error) => error instanceof ApiError && error.status === 502 && error.message.includes('broke'),
      );
      assert.deepEqual(texts, ['a']);
    });

  test('a library that takes the event for an empty answer finds plain JSON behind it', () => {
    const [event, rest = ''] = BROKEN.toString().split('\n\n');
    assert.equal(event, `data: ${rest}`);
    assert.deepEqual(JSON.parse(rest), { error: { code: 502, message: 'broke', status: 'UNAVAILABLE' } });
  });
});
