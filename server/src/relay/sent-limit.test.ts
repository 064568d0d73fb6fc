import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelFacts } from '../catalogue/catalogue.ts';
import { anthropicMessages, readMessages } from '../protocols/anthropic-messages/index.ts';
import { openaiChat, readChat } from '../protocols/openai-chat/index.ts';
import { asSent } from './sent-limit.ts';

const facts = (...dropFields: string[]): ChannelFacts =>
  ({ provider: 'openai', models: new Map(), options: { dropFields } }) as unknown as ChannelFacts;
const messages = '"messages":[{"role":"user","content":"hi"}]';

test('a tier counts as asked for only where it was sent (contract-2 9)', () => {
  const request = readChat(Buffer.from(`{"model":"m",${messages},"service_tier":"FLEX"}`));
  const tiers = (...dropFields: string[]): readonly string[] =>
    asSent(request, { protocol: openaiChat, request }, facts(...dropFields)).tiers();
  assert.deepEqual(tiers(), ['flex']);
  assert.deepEqual(tiers('user'), ['flex']);
  assert.deepEqual(tiers('serviceTier'), ['flex'], 'no field of this protocol');
  assert.deepEqual(tiers('service_tier'), []);
});

test('each of two fields counts by itself (contract-2 9)', () => {
  const text = `{"model":"m","max_tokens":5,${messages},"speed":"fast","service_tier":"priority"}`;
  const request = readMessages(Buffer.from(text));
  const sent = { protocol: anthropicMessages, request };
  assert.deepEqual(asSent(request, sent, facts('speed')).tiers(), ['priority']);
  assert.deepEqual(asSent(request, sent, facts('service_tier')).tiers(), ['fast']);
});

test('the request is written once more at most, and not where the channel drops nothing', () => {
  const read = readChat(Buffer.from(`{"model":"m",${messages},"service_tier":"flex"}`));
  let writes = 0;
  const write: typeof read.write = (target) => (writes++, read.write(target));
  const request = { ...read, write };
  asSent(request, { protocol: openaiChat, request }, facts()).tiers();
  assert.equal(writes, 0);
  const filtered = asSent(request, { protocol: openaiChat, request }, facts('user'));
  assert.deepEqual([filtered.tiers(), filtered.tiers(), writes], [['flex'], ['flex'], 1]);
});
