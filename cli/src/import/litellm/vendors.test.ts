import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProvider } from '../../../../server/src/providers/registry.ts';
import { channelType } from '../new-api/channels/channel-types.ts';
import { findVendor } from './vendors.ts';

const find = (model: string, more: Partial<Parameters<typeof findVendor>[1]> = {}) => {
  const found = findVendor(model, { given: '', hasBase: false, isRerank: false, ...more });
  return found === undefined ? undefined : [found.prefix, found.vendor.provider, found.upstream];
};

test('a prefix of LiteLLM says which kind of upstream it is and what the upstream calls the model (contract-2 11)', () => {
  assert.deepEqual(find('openai/gpt-4o'), ['openai', 'openai', 'gpt-4o']);
  assert.deepEqual(find('gpt-4o'), ['openai', 'openai', 'gpt-4o']);
  assert.deepEqual(find('claude-sonnet-4-5'), ['anthropic', 'anthropic', 'claude-sonnet-4-5']);
  assert.deepEqual(find('bedrock/converse/us.amazon.nova-pro-v1:0'), ['bedrock', 'bedrock', 'us.amazon.nova-pro-v1:0']);
  assert.deepEqual(find('bedrock/us-east-1/anthropic.claude-v2'), ['bedrock', 'bedrock', 'anthropic.claude-v2']);
  assert.deepEqual(find('openrouter/openai/gpt-4o'), ['openrouter', 'openai', 'openai/gpt-4o']);
  assert.deepEqual(find('vertex_ai/gemini-2.5-pro'), ['vertex_ai', 'vertex', 'gemini-2.5-pro']);
  assert.deepEqual(find('my-model', { given: 'hosted_vllm' }), ['hosted_vllm', 'openai', 'my-model']);
  assert.deepEqual(find('my-model', { hasBase: true }), ['openai', 'openai', 'my-model']);
  assert.deepEqual(find('cohere/rerank-english-v3.0', { isRerank: true }), ['cohere', 'rerank', 'rerank-english-v3.0']);
  assert.equal(find('my-model'), undefined);
  assert.equal(find('petals/x'), undefined);
});

test('every kind that an import names is there (contract-2 9)', () => {
  for (const program of ['new-api', 'one-api'] as const)
    for (let number = 1; number <= 60; number++) {
      const type = channelType(program, number);
      if (typeof type !== 'string') assert.ok(findProvider(type.provider) !== undefined, `${program} ${number}`);
    }
});
