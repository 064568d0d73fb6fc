import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import { readFinishReason, writeFinishReason } from './finish-reason.ts';
import { countContent, geminiGenerateContent, statusWord, writeError } from './index.ts';
import { readUsage, writeUsage } from './usage.ts';

const answer = (body: unknown) => geminiGenerateContent.readAnswer(Buffer.from(JSON.stringify(body)), '');
const complaint = (text: string) => geminiGenerateContent.readComplaint(Buffer.from(text));

describe('a whole answer', () => {
  test('is one with candidates, or of a blocked prompt, and nothing else', () => {
    assert.equal(answer({ candidates: [] })?.hasError, false);
    assert.equal(answer({ promptFeedback: { blockReason: 'SAFETY' } })?.hasError, false);
    assert.equal(answer({ error: { code: 500 } })?.hasError, true);
    assert.equal(answer({}), undefined);
    assert.equal(answer({ candidates: 'x' }), undefined);
    assert.equal(answer([]), undefined);
    assert.equal(countContent.readAnswer(Buffer.from('{"totalTokens":3}'), '')?.hasError, false);
    assert.equal(countContent.readAnswer(Buffer.from('{}'), ''), undefined);
  });

  test('is as long as the text in it: not its sources or log probabilities (promise M-10)', () => {
    const long = 'x'.repeat(900);
    const parts = [{ text: 'a'.repeat(400), thoughtSignature: long }, { functionCall: { name: 'n', args: { a: 1 } } }];
    const groundingMetadata = { groundingSupports: [{ segment: { text: long } }] };
    const logprobsResult = { chosenCandidates: [{ token: long, text: long }] };
    const candidates = [{ content: { parts }, groundingMetadata, logprobsResult }];
    assert.equal(answer({ candidates })?.outputBytes, 400 + '{"a":1}'.length);
  });

  test('has its size without images in it', () => {
    const candidates = [
      { content: { parts: [{ text: 'a'.repeat(400) }, { inlineData: { data: 'QUFB'.repeat(9_000) } }] } },
    ];
    const size = answer({ candidates })?.outputBytes ?? 0;
    assert.ok(size >= 350 && size < 500, String(size));
  });
});

describe('usage', () => {
  test('counts thoughts as output, prompts of tools as input, and media as parts of both', () => {
    const usage = readUsage({
      promptTokenCount: 10,
      toolUsePromptTokenCount: 5,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 7,
      cachedContentTokenCount: 4,
      totalTokenCount: 42,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 2 },
        { modality: 'AUDIO', tokenCount: 3 },
        { modality: 'IMAGE', tokenCount: 5 },
      ],
      candidatesTokensDetails: [
        { modality: 'IMAGE', tokenCount: 12 },
        { modality: 'AUDIO', tokenCount: 1 },
      ],
    });
    assert.deepEqual(usage, {
      input: 15,
      output: 27,
      cachedInput: 4,
      cacheWrite: 0,
      audioInput: 3,
      audioOutput: 1,
      imageInput: 5,
      imageOutput: 12,
      reasoning: 7,
    });
  });

  test('takes what is left out for nothing, and what cannot be true for not reported', () => {
    assert.deepEqual(readUsage({ promptTokenCount: 3 }), { ...NO_USAGE, input: 3 });
    assert.deepEqual(readUsage({ promptTokenCount: 3, totalTokenCount: 9 }), { ...NO_USAGE, input: 3, output: 6 });
    assert.equal(readUsage({ candidatesTokenCount: 3 }), undefined);
    assert.equal(readUsage({ promptTokenCount: 3, candidatesTokenCount: -1 }), undefined);
    assert.equal(readUsage({ promptTokenCount: 1e15 }), undefined);
    assert.equal(readUsage('x'), undefined);
  });

  test('comes back as it went out', () => {
    const usage = { ...NO_USAGE, input: 15, output: 27, cachedInput: 4, audioInput: 3, reasoning: 7 };
    assert.deepEqual(readUsage(writeUsage(usage)), usage);
    assert.equal(writeUsage(usage)['totalTokenCount'], 42);
  });
});

describe('reasons to stop', () => {
  test('are read by their meaning, and a stop to call is one', () => {
    assert.equal(readFinishReason('STOP', false), 'stop');
    assert.equal(readFinishReason('STOP', true), 'tool-calls');
    assert.equal(readFinishReason('MAX_TOKENS', true), 'length');
    for (const word of ['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'IMAGE_SAFETY'])
      assert.equal(readFinishReason(word, false), 'content-filter', word);
    for (const word of ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'OTHER', 'LANGUAGE', 'NO_IMAGE'])
      for (const callsTools of [false, true]) assert.equal(readFinishReason(word, callsTools), 'failed', word);
    assert.equal(readFinishReason('NEW_ONE', false), 'other');
  });

  test('are written in words that the vendor has', () => {
    assert.equal(writeFinishReason('tool-calls'), 'STOP');
    assert.equal(writeFinishReason('length'), 'MAX_TOKENS');
    assert.equal(writeFinishReason('refusal'), 'SAFETY');
  });
});

describe('an error', () => {
  test('is read from an object or a list, with the reason rather than the word, and the field', () => {
    const error = { code: 400, message: 'no', status: 'INVALID_ARGUMENT' };
    assert.deepEqual(complaint(JSON.stringify([{ error }])), {
      message: 'no',
      code: 'INVALID_ARGUMENT',
      param: undefined,
    });
    const details = [{ reason: 'API_KEY_INVALID' }, { fieldViolations: [{ field: 'contents[0].role' }] }];
    assert.deepEqual(complaint(JSON.stringify({ error: { ...error, details } })), {
      isOfKey: true,
      message: 'no',
      code: 'API_KEY_INVALID',
      param: 'contents[0].role',
    });
    for (const text of ['<html>', 'null', '{}', '[]', '{"error":"x"}'])
      assert.deepEqual(complaint(text), { message: undefined, code: undefined, param: undefined }, text);
  });

  test('is written with a status and its word (contract 4)', () => {
    assert.deepEqual(writeError({ message: 'late', code: 'upstream_timeout' }), {
      error: { code: 504, message: 'late', status: 'DEADLINE_EXCEEDED' },
    });
    assert.equal(statusWord(418), 'INVALID_ARGUMENT');
  });
});
