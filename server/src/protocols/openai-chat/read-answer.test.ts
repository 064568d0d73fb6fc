import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import type { WholeAnswer } from '../protocol.ts';
import { readTokenUsage, readWholeAnswer } from './read-answer.ts';

test('counts and their details are read', () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
    prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 20, audio_tokens: 5, image_tokens: 7 },
    completion_tokens_details: {
      reasoning_tokens: 30,
      audio_tokens: 4,
      image_tokens: 2,
      rejected_prediction_tokens: 1,
    },
  };
  assert.deepEqual(readTokenUsage(usage), {
    input: 100,
    output: 50,
    cachedInput: 60,
    cacheWrite: 20,
    audioInput: 5,
    audioOutput: 4,
    imageInput: 7,
    imageOutput: 2,
    reasoning: 30,
  });
});

test('what is said to be cached and written at once cannot both be', () => {
  const details = { cached_tokens: 8, cache_write_tokens: 3 };
  const usage = readTokenUsage({ prompt_tokens: 10, completion_tokens: 0, prompt_tokens_details: details });
  assert.deepEqual(usage, { ...NO_USAGE, input: 10, cachedInput: 8 });
});

test('details that are missing, null or impossible count as 0', () => {
  const whole = { prompt_tokens: 10, completion_tokens: 0 };
  const expected = { ...NO_USAGE, input: 10 };
  for (const details of [undefined, null, 5, 'x', {}, { cached_tokens: null }]) {
    assert.deepEqual(readTokenUsage({ ...whole, prompt_tokens_details: details }), expected);
  }
  for (const wrong of [-1, 1.5, 11, '3', Number.NaN]) {
    assert.deepEqual(readTokenUsage({ ...whole, prompt_tokens_details: { cached_tokens: wrong } }), expected);
  }
  assert.deepEqual(readTokenUsage({ ...whole, completion_tokens_details: { reasoning_tokens: 1 } }), expected);
});

test('usage without two believable whole counts is no usage', () => {
  for (const usage of [undefined, null, 5, 'x', [], {}, { prompt_tokens: 1 }, { completion_tokens: 1 }]) {
    assert.equal(readTokenUsage(usage), undefined);
  }
  for (const wrong of [-1, 0.5, 1e12 + 1, '7', null, Number.NaN, Infinity]) {
    assert.equal(readTokenUsage({ prompt_tokens: wrong, completion_tokens: 1 }), undefined);
    assert.equal(readTokenUsage({ prompt_tokens: 1, completion_tokens: wrong }), undefined);
  }
  assert.equal(readTokenUsage({ prompt_tokens: 1e12, completion_tokens: 0 })?.input, 1e12);
});

test('a whole answer is distinguished from anything else, with its usage and whether it is an error', () => {
  const read = (text: string): unknown => readWholeAnswer(Buffer.from(text));
  const usage = { ...NO_USAGE, input: 3, output: 4 };
  assert.deepEqual(read('{"choices":[{}],"usage":{"prompt_tokens":3,"completion_tokens":4}}'), {
    usage,
    hasError: false,
    outputBytes: 0,
  });
  const text = 'x'.repeat(400);
  assert.equal(
    (
      read(
        `{"choices":[{"index":0,"message":{"role":"assistant","content":"${text}"},"finish_reason":"stop"}]}`,
      ) as WholeAnswer
    ).outputBytes,
    400,
  );
  const logprobs = { content: [{ token: 'x'.repeat(9_000), bytes: [1] }] };
  const tool_calls = [{ id: 'c'.repeat(99), function: { name: 'n', arguments: '{"a":1}' } }];
  const choices = [{ index: 0, message: { content: text, tool_calls }, logprobs }];
  assert.equal((read(JSON.stringify({ choices })) as WholeAnswer).outputBytes, 407, 'text alone (promise M-10)');
  const custom = [{ id: 'c', type: 'custom', custom: { name: 'n', input: 'a line' } }];
  const ofCustom = JSON.stringify({ choices: [{ index: 0, message: { content: null, tool_calls: custom } }] });
  assert.equal((read(ofCustom) as WholeAnswer).outputBytes, 6, 'the input of a custom tool is output (promise M-10)');
  assert.deepEqual(read('{"choices":[],"usage":null,"error":null}'), {
    usage: undefined,
    hasError: false,
    outputBytes: 0,
  });
  assert.deepEqual(read('{"error":{"message":"no"}}'), { usage: undefined, hasError: true, outputBytes: 0 });
  assert.deepEqual(read('{"choices":[],"error":"no"}'), { usage: undefined, hasError: true, outputBytes: 0 });
  for (const text of [
    '',
    '<html>',
    '[]',
    '{}',
    '{"choices":{}}',
    '{"choices":[]',
    '{"error":null}',
    '{"choices":null}',
  ]) {
    assert.equal(read(text), undefined, text);
  }
});
