import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../../testing/refusals.ts';
import { openaiChatClient, readChat } from '../openai-chat/index.ts';
import { openaiResponsesUpstream } from '../openai-responses/index.ts';
import type { RelayRequest } from '../protocol.ts';
import { translateRequest } from './translate.ts';

const translate = (fields: object, strict = false): RelayRequest => {
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...fields };
  const request = readChat(Buffer.from(JSON.stringify(body)));
  const sides = { from: openaiChatClient, to: openaiResponsesUpstream, id: 'ID', created: 7 };
  const translated = translateRequest(request, { ...sides, strict, defaultMaxOutput: 100 });
  assert.ok(translated !== undefined);
  return translated;
};
const target = { upstreamModel: 'up', dropFields: [] };

test('what cannot be translated is named in the words the caller used', () => {
  const request = translate({ top_k: 4, logit_bias: { 1: 2 }, n: 3 });
  request.write(target);
  assert.deepEqual(request.dropped, ['logit_bias', 'top_k', 'n']);
  assert.equal(request.choices, 1);
});

test('a strict caller is refused instead, once it is known what would be lost', () => {
  const request = translate({ top_k: 4, seed: 1 }, true);
  const message =
    "The provider of this model cannot take 'top_k', 'seed' as asked. Change it, leave it out, or do without x-tollgate-strict.";
  assertRefused(() => request.write(target), message, 'top_k');
  assert.ok(Buffer.isBuffer(translate({ temperature: 1 }, true).write(target)));
  assertRefused(
    () => translate({ max_completion_tokens: 5 }, true).write(target),
    /'max_completion_tokens'/,
    'max_completion_tokens',
  );
});

test('an answer is written for the caller, with ids for the calls that have none', () => {
  const call = { type: 'function_call', name: 'f', arguments: '{}' };
  const answer = translate({}).writeAnswer?.(Buffer.from(JSON.stringify({ output: [call, call] })));
  const written = JSON.parse(String(answer)) as {
    id: string;
    created: number;
    choices: [{ message: { tool_calls: { id: string }[] } }];
  };
  assert.deepEqual([written.id, written.created], ['chatcmpl-ID', 7]);
  assert.deepEqual(
    written.choices[0].message.tool_calls.map(({ id }) => id),
    ['call_ID0', 'call_ID1'],
  );
  assert.equal(translate({}).writeAnswer?.(Buffer.from('<html>')), undefined);
});

test('a request that is none for text cannot be translated', () => {
  const { readGeneration: _, ...request } = readChat(Buffer.from('{"model":"m","messages":[{}]}'));
  const sides = { from: openaiChatClient, to: openaiResponsesUpstream, id: 'ID', created: 7 };
  assert.equal(translateRequest(request, { ...sides, strict: false, defaultMaxOutput: 1 }), undefined);
});
