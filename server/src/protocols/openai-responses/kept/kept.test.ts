// Contract-2 7: what is kept of a response, gone on from, listed and replayed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../../../testing/refusals.ts';
import { readResponse } from '../index.ts';
import { conversationInput, conversationOf, continueFrom } from './continue-response.ts';
import { isOwnId, keptOf, type KeptResponse, ownResponseId } from './kept-response.ts';
import { listItems } from './list-items.ts';
import { replayEvents } from './replay.ts';

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const message = { id: 'msg_a0', type: 'message', status: 'completed', role: 'assistant' };
const text = (value: string): object => ({ type: 'output_text', text: value, annotations: [], logprobs: [] });
const CONTENT = [text('Hi Ann'), { type: 'refusal', refusal: 'no' }];
const RESPONSE = {
  id: 'resp_reqA',
  object: 'response',
  status: 'completed',
  output: [
    { id: 'rs_a', type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
    { id: 'rs_b', type: 'reasoning', summary: [], encrypted_content: 'tg1.x.y' },
    { ...message, content: CONTENT },
    { id: 'fc_a', type: 'function_call', status: 'completed', call_id: 'c', name: 'f', arguments: '{}' },
    { id: 'ctc_a', type: 'custom_tool_call', status: 'completed', call_id: 'd', name: 'g', input: 'x' },
  ],
};

function keep(body: object, response: object = RESPONSE): KeptResponse {
  const kept = keptOf(bytes(body), bytes(response));
  assert.ok(kept !== undefined);
  return kept;
}

test('ids are made of the request\u2019s, so that the gateway knows its own', () => {
  assert.equal(ownResponseId('req_0Vb0'), 'resp_req0Vb0');
  assert.ok(isOwnId('resp_req0Vb0') && !isOwnId('resp_68af'));
});

test('what failed or still goes on is not kept', () => {
  for (const status of ['failed', 'in_progress', 'queued'])
    assert.equal(keptOf(bytes({ input: 'x' }), bytes({ ...RESPONSE, status })), undefined);
});

test('a request that goes on says the whole conversation itself, without ids and without unproved reasoning', () => {
  const chain = [keep({ input: 'I am Ann', instructions: 'Be brief' })];
  const body = bytes({ model: 'm', previous_response_id: 'resp_reqA', input: 'Who am I?', temperature: 0 });
  const merged = JSON.parse(continueFrom(body, conversationOf(chain)).toString()) as { input: object[] };
  assert.deepEqual(merged, {
    model: 'm',
    temperature: 0,
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'I am Ann' }] },
      { type: 'reasoning', id: 'rs_b', summary: [], encrypted_content: 'tg1.x.y' },
      { type: 'message', role: 'assistant', content: CONTENT },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'd', name: 'g', input: 'x' },
      { type: 'message', role: 'user', content: 'Who am I?' },
    ],
  });
  const request = readResponse(bytes(merged), { keeps: true, previousId: 'resp_reqA' });
  const { echo, unknown } = request.readGeneration?.() ?? {};
  assert.deepEqual([echo?.['previous_response_id'], echo?.['store'], unknown], ['resp_reqA', true, []]);
});

test('items are listed with ids, newest first, page by page, as the vendor lists them', () => {
  const input = [
    { role: 'user', content: 'one' },
    { type: 'function_call_output', call_id: 'c', output: 'two' },
  ];
  const items = conversationInput([keep({ input }), keep({ input: 'three' }, { ...RESPONSE, id: 'resp_reqB' })]);
  assert.equal(items.length, 2 + RESPONSE.output.length + 1);
  const all = listItems(items, new URLSearchParams('order=asc'));
  assert.deepEqual(
    (all['data'] as { id: string }[]).map(({ id }) => id),
    ['msg_reqAi0', 'fco_reqAi1', 'rs_a', 'rs_b', 'msg_a0', 'fc_a', 'ctc_a', 'msg_reqBi0'],
  );
  const page = listItems(items, new URLSearchParams('limit=2'));
  assert.deepEqual([page['first_id'], page['last_id'], page['has_more']], ['msg_reqBi0', 'ctc_a', true]);
  const last = listItems(items, new URLSearchParams('limit=2&order=desc&after=fco_reqAi1'));
  assert.deepEqual([last['first_id'], last['has_more']], ['msg_reqAi0', false]);
  assertRefused(() => listItems(items, new URLSearchParams('limit=0')), "'limit' must be from 1 to 100.", 'limit');
  assertRefused(() => listItems(items, new URLSearchParams('after=x')), /'after'/, 'after');
});

test('events of a replay are numbered, name every item once, and have all of its text', () => {
  const events = replayEvents(RESPONSE)
    .split('\n\n')
    .filter((one) => one !== '')
    .map((one) => JSON.parse(one.slice(one.indexOf('data: ') + 6)) as Record<string, unknown>);
  assert.deepEqual(
    events.map((event) => event['sequence_number']),
    events.map((_, index) => index),
  );
  const typed = (type: string): Record<string, unknown>[] => events.filter((event) => event['type'] === type);
  assert.equal(typed('response.output_item.added').length, RESPONSE.output.length);
  assert.equal(typed('response.output_item.done').length, RESPONSE.output.length);
  assert.equal(typed('response.output_text.delta')[0]?.['delta'], 'Hi Ann');
  assert.equal(typed('response.refusal.done')[0]?.['refusal'], 'no');
  assert.equal(typed('response.custom_tool_call_input.done')[0]?.['input'], 'x');
  assert.equal(typed('response.reasoning_summary_text.done')[0]?.['text'], 'hm');
  assert.deepEqual(events.at(-1)?.['response'], RESPONSE);
  assert.match(JSON.stringify(events[0]), /"status":"in_progress"/);
  assert.ok(!replayEvents({ ...RESPONSE, status: 'in_progress' }).includes('response.completed'));
  assert.ok(replayEvents(RESPONSE, events.length - 2).startsWith('event: response.completed'));
  const end = replayEvents(RESPONSE, 400); // a number of the first stream, which had more events
  assert.match(
    end,
    /^event: response\.completed\ndata: \{"type":"response\.completed","sequence_number":401,[^\n]*\n\n$/,
  );
  assert.equal(replayEvents({ ...RESPONSE, status: 'in_progress' }, 400), '');
});
