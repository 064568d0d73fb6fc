import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import { openaiResponses, readResponse } from '../../protocols/openai-responses/index.ts';
import { idOfUnfinished } from '../../protocols/openai-responses/read-id.ts';
import { catalogue, facts } from '../../routing/testing/offered.ts';
import type { RequestRow } from '../../store/ledger/operations.ts';
import type { CallEnd } from '../call.ts';
import type { KeptCall } from './background-calls.ts';
import { DeferredSettlement } from './deferred-settlement.ts';

const ROW: RequestRow = {
  id: 'req',
  account_id: 'acc',
  token_id: 'tok',
  group_name: 'default',
  endpoint: '/v1/responses',
  model: 'm',
  channel_id: 'ch',
  status: 200,
  error_code: null,
  attempts: '[]',
  first_byte_ms: 3,
  total_ms: 5,
  usage: '{}',
  usage_source: 'upstream',
  charge: 4n,
  arithmetic: 'x',
  mode: 'live',
  created_at: 1_770_000_000,
};
const BROKEN = { ...ROW, error_code: 'upstream_error' };
const unfinished = Buffer.from('{"id":"resp_1","object":"response","status":"in_progress","output":[]}');
const finished = Buffer.from('{"id":"resp_1","object":"response","status":"completed","output":[]}');
const channelKey = { channelId: 'ch', keyId: 'ch-1' };
const request = readResponse(Buffer.from('{"model":"m","input":"hello","max_output_tokens":40,"background":true}'));

async function make(dropFields: string[] = []): Promise<{ settlement: DeferredSettlement; kept: KeptCall[] }> {
  const channel = facts('ch');
  const offered = catalogue({ ...channel, options: { ...channel.options, dropFields } });
  const kept: KeptCall[] = [];
  const settlement = new DeferredSettlement({
    catalogue: await LiveCatalogue.open(async () => offered),
    background: { keep: async (call) => kept.push(call) > 0 },
    protocol: openaiResponses,
    idOfUnfinished,
  });
  return { settlement, kept };
}

const end = (more: Partial<CallEnd>): CallEnd => ({
  kind: 'settle',
  row: ROW,
  request,
  channelKey,
  answer: undefined,
  ...more,
});

test('a whole answer that is not over is kept, with what its charge will need and without any charge', async () => {
  const { settlement, kept } = await make();
  assert.equal(await settlement.defer(end({ answer: unfinished })), true);
  const [{ bill, ...call } = assert.fail('nothing was kept')] = kept;
  assert.deepEqual(call, { accountId: 'acc', upstreamId: 'resp_1', ...channelKey });
  assert.equal(bill.size.maxOutputTokens, 40);
  assert.equal(bill.size.inputBytes, request.inputBytes);
  assert.equal(bill.request.id, 'req');
  assert.ok(!('charge' in bill.request) && !('usage' in bill.request), Object.keys(bill.request).join());
});

test('a limit that the channel drops bounds no later charge (promise M-10)', async () => {
  const { settlement, kept } = await make(['max_output_tokens']);
  await settlement.defer(end({ answer: unfinished }));
  assert.equal(kept[0]?.bill.size.maxOutputTokens, undefined);
});

test('a finished answer, and a stream that ended well, are settled at once', async () => {
  const { settlement, kept } = await make();
  assert.equal(await settlement.defer(end({ answer: finished })), false);
  settlement.streamedId = 'resp_2';
  assert.equal(await settlement.defer(end({})), false);
  assert.equal(await settlement.defer(end({ answer: unfinished, channelKey: undefined })), false);
  assert.deepEqual(kept, []);
});

test('a stream that broke off waits for its response, settled or released; an answer that is released does not', async () => {
  const { settlement, kept } = await make();
  assert.equal(await settlement.defer(end({ kind: 'release', row: BROKEN, answer: unfinished })), false);
  assert.equal(await settlement.defer(end({ row: BROKEN })), false, 'no id was named');
  settlement.streamedId = 'resp_2';
  assert.equal(await settlement.defer(end({ row: BROKEN })), true);
  assert.equal(await settlement.defer(end({ kind: 'release', row: BROKEN })), true);
  assert.deepEqual(
    kept.map(({ upstreamId }) => upstreamId),
    ['resp_2', 'resp_2'],
  );
});
