import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import { geminiInteractions, idOfUnfinished, readInteraction, readInteractionState } from './index.ts';

const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));
const usage = {
  total_input_tokens: 10,
  input_tokens_by_modality: [{ modality: 'image', tokens: 4 }],
  total_tool_use_tokens: 2,
  total_cached_tokens: 3,
  total_output_tokens: 5,
  total_thought_tokens: 7,
  total_tokens: 24,
  grounding_tool_count: [{ type: 'google_search', count: 2 }],
};
const done = {
  id: 'v1_a',
  status: 'completed',
  service_tier: 'priority',
  steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Hello.' }] }],
  usage,
};

describe('an interaction', () => {
  test('is charged by its usage: what tools read is input, thoughts are output', () => {
    const answer = geminiInteractions.readAnswer(bytes(done), '');
    assert.deepEqual(answer?.usage, {
      ...NO_USAGE,
      input: 12,
      output: 12,
      cachedInput: 3,
      imageInput: 4,
      reasoning: 7,
    });
    assert.deepEqual(answer?.extras, { serviceTier: 'priority', toolUses: { web_search: 2 } });
    assert.deepEqual([answer?.hasError, answer?.outputBytes], [false, 6]);
  });

  test('that is not over has no usage yet, and may come to all that was held', () => {
    const open = { id: 'v1_a', status: 'in_progress', usage };
    const answer = geminiInteractions.readAnswer(bytes(open), '');
    assert.deepEqual([answer?.usage, answer?.outputBytes], [undefined, Number.MAX_SAFE_INTEGER]);
    assert.deepEqual([idOfUnfinished(bytes(open)), idOfUnfinished(bytes(done))], ['v1_a', undefined]);
  });

  test('is due when it ended with something made', () => {
    const state = (value: object): unknown[] => {
      const { isOver, isDue } = readInteractionState(bytes({ id: 'v1_a', ...value })) ?? {};
      return [isOver, isDue];
    };
    assert.deepEqual(state({ status: 'queued' }), [false, false]);
    assert.deepEqual(state({ status: 'completed', usage }), [true, true]);
    assert.deepEqual(state({ status: 'requires_action' }), [true, true]);
    assert.deepEqual(state({ status: 'failed' }), [true, false]);
    assert.deepEqual(state({ status: 'failed', usage }), [true, true]);
    assert.deepEqual(state({ status: 'cancelled' }), [true, false]);
    assert.equal(readInteractionState(Buffer.from('{"object":"list"}')), undefined);
    assert.equal(readInteractionState(Buffer.from('<html>')), undefined);
  });

  test('with counts that cannot be is doubtful', () => {
    const answer = geminiInteractions.readAnswer(bytes({ ...done, usage: { ...usage, total_output_tokens: -5 } }), '');
    assert.deepEqual([answer?.usage, answer?.isDoubtful], [undefined, true]);
  });
});

test('a stream passes its events, holds back the last, and ends badly with an error event', () => {
  const event = (type: string, rest: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ event_type: type, ...rest })}\n\n`;
  const begin = event('interaction.created', { interaction: { id: 'v1_a', status: 'in_progress' } });
  const delta = event('step.delta', { index: 0, delta: { type: 'text', text: 'Hello.' } });
  const end = event('interaction.completed', { interaction: { id: 'v1_a', status: 'completed', usage } });
  const request = bytes({ model: 'm', input: 'x', stream: true });
  const reader = readInteraction(request).readStream();
  assert.equal(reader.push(Buffer.from(`${begin}${delta}${end}data: [DONE]\n\n`))?.toString(), begin + delta);
  assert.deepEqual([reader.ended, reader.last?.toString(), reader.usage?.output], [true, end, 12]);
  const failed = readInteraction(request).readStream();
  failed.push(Buffer.from(begin + event('error', { error: { code: 'internal', message: 'No' } })));
  assert.deepEqual([failed.ended, failed.complaint?.message, failed.complaint?.code], [false, 'No', 'internal']);
});
