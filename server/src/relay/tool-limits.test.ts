// Uses of tools that an upstream reports, against the limit of the request as it was sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelFacts } from '../catalogue/catalogue.ts';
import { readPrice } from '../catalogue/prices.ts';
import { NO_USAGE, type ToolUses } from '../neutral/usage.ts';
import { anthropicMessages, readMessages } from '../protocols/anthropic-messages/index.ts';
import { openaiResponses, readResponse } from '../protocols/openai-responses/index.ts';
import type { Protocol, RelayRequest } from '../protocols/protocol.ts';
import { Bill } from './bill.ts';
import { asSent } from './sent-limit.ts';

const PRICE = { unit: 'tokens', input: '0', output: '0', tools: { web_search: '0.01', file_search: '0.002' } };
const NANO = 1_000_000_000n;

function settle(protocol: Protocol, request: RelayRequest, toolUses: ToolUses, ...dropFields: string[]) {
  const model = { id: 'm', price: readPrice(JSON.stringify(PRICE)), maxOutputTokens: undefined };
  const bill = new Bill({ groups: new Map() }, { model, group: 'default', request, protocol });
  const facts = { provider: 'openai', models: new Map(), options: { dropFields } } as unknown as ChannelFacts;
  const usage = { ...NO_USAGE, input: 3, output: 3 };
  const sent = asSent(request, { protocol, request }, facts);
  const used = bill.used({ usage, output: 3, source: 'counted', extras: { toolUses }, ...sent });
  return {
    amount: bill.charge(used.usage).amount,
    source: used.source,
    uses: used.usage.toolUses,
    held: bill.holdAmount,
  };
}

const search = (more: object): object => ({ type: 'web_search_20250305', name: 'web_search', ...more });
const messages = (...tools: object[]): RelayRequest =>
  readMessages(
    Buffer.from(JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }], tools })),
  );
const response = (fields: object): RelayRequest =>
  readResponse(Buffer.from(JSON.stringify({ model: 'm', input: 'hi', ...fields })));
const both = [{ type: 'web_search' }, { type: 'file_search', vector_store_ids: ['v'] }];

test('no more uses of a tool are charged than its max_uses allows (promise M-10)', () => {
  const one = settle(anthropicMessages, messages(search({ max_uses: 1 })), { web_search: 1_000 });
  assert.deepEqual(one, { amount: NANO / 100n, source: 'bounded', uses: { web_search: 1 }, held: NANO / 100n });
  const none = settle(anthropicMessages, messages(search({ max_uses: 0 })), { web_search: 1_000 });
  assert.deepEqual([none.amount, none.source], [0n, 'bounded']);
  const within = settle(anthropicMessages, messages(search({ max_uses: 3 })), { web_search: 3 });
  assert.deepEqual([within.amount, within.source], [(3n * NANO) / 100n, 'upstream']);
});

test('a tool without a limit, or with one that was not sent, is charged as reported (promise M-10)', () => {
  const open = settle(anthropicMessages, messages(search({})), { web_search: 40 });
  assert.deepEqual([open.uses, open.source], [{ web_search: 40 }, 'upstream']);
  const twice = settle(anthropicMessages, messages(search({ max_uses: 1 }), search({})), { web_search: 40 });
  assert.deepEqual([twice.uses, twice.source], [{ web_search: 40 }, 'upstream']);
  const dropped = settle(
    openaiResponses,
    response({ tools: both, max_tool_calls: 2 }),
    { web_search: 40 },
    'max_tool_calls',
  );
  assert.deepEqual([dropped.uses, dropped.source], [{ web_search: 40 }, 'upstream']);
  const other = settle(openaiResponses, response({ tools: [search({ max_uses: 1 })] }), { web_search: 40 });
  assert.deepEqual([other.uses, other.source], [{ web_search: 40 }, 'upstream'], 'no field of this protocol');
});

test('max_tool_calls bounds all tools of a response together, the most expensive first (promise M-10)', () => {
  const request = response({ tools: both, max_tool_calls: 4 });
  const { uses, source, amount, held } = settle(openaiResponses, request, { file_search: 1_000, web_search: 3 });
  assert.deepEqual([uses, source], [{ web_search: 3, file_search: 1 }, 'bounded']);
  assert.ok(amount <= held);
  const within = settle(openaiResponses, request, { file_search: 2, web_search: 2 });
  assert.deepEqual([within.uses, within.source], [{ file_search: 2, web_search: 2 }, 'upstream']);
});
