import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import { cohereChat, readCohereChat } from './index.ts';

const answer = (fields: object): Buffer =>
  Buffer.from(
    JSON.stringify({
      id: '1',
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
      ...fields,
    }),
  );
const usage = {
  billed_units: { input_tokens: 5, output_tokens: 3 },
  tokens: { input_tokens: 9, output_tokens: 3 },
  cached_tokens: 4,
};

describe('an answer of /v2/chat', () => {
  test('is charged by the tokens of the whole prompt', () => {
    const read = cohereChat.readAnswer(answer({ usage }), '');
    assert.deepEqual(read?.usage, { ...NO_USAGE, input: 9, output: 3, cachedInput: 4 });
    assert.deepEqual([read?.hasError, read?.outputBytes], [false, 6]);
    const billed = cohereChat.readAnswer(answer({ usage: { billed_units: usage.billed_units } }), '');
    assert.deepEqual(billed?.usage, { ...NO_USAGE, input: 5, output: 3 });
  });

  test('is none without a message, failed with ERROR, and doubtful with counts that cannot be', () => {
    assert.equal(cohereChat.readAnswer(Buffer.from('{"id":"1"}'), ''), undefined);
    assert.equal(cohereChat.readAnswer(answer({ finish_reason: 'ERROR' }), '')?.hasError, true);
    const doubtful = cohereChat.readAnswer(answer({ usage: { tokens: { input_tokens: -1, output_tokens: 2 } } }), '');
    assert.deepEqual([doubtful?.usage, doubtful?.isDoubtful], [undefined, true]);
  });
});

describe('a stream of /v2/chat', () => {
  const event = (data: { type: string } & Record<string, unknown>): string =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const body = Buffer.from('{"model":"m","stream":true,"messages":[{"role":"user","content":"Hello"}]}');
  const begin =
    event({ type: 'message-start', id: '1', delta: { message: { role: 'assistant' } } }) +
    event({ type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hello.' } } } });

  test('passes whole events, and holds back the last one, which has the usage', () => {
    const end = event({ type: 'message-end', delta: { finish_reason: 'COMPLETE', usage } });
    for (const size of [1, 7, 1000]) {
      const reader = readCohereChat(body).readStream();
      const bytes = Buffer.from(`${begin}${end}data: [DONE]\n\n`);
      const passed: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size)
        passed.push(reader.push(bytes.subarray(at, at + size)) ?? Buffer.alloc(0));
      assert.equal(Buffer.concat(passed).toString(), begin);
      assert.equal(reader.last?.toString(), end);
      assert.deepEqual([reader.ended, reader.usage?.input, reader.complaint], [true, 9, undefined]);
    }
  });

  test('that ends with an error is a failure, and one that is cut is not complete', () => {
    const failed = readCohereChat(body).readStream();
    failed.push(Buffer.from(begin + event({ type: 'message-end', delta: { error: 'No', finish_reason: 'ERROR' } })));
    assert.deepEqual([failed.ended, failed.complaint?.message], [false, 'No']);
    const cut = readCohereChat(body).readStream();
    cut.push(Buffer.from(begin));
    assert.equal(cut.isComplete(), false);
  });
});
