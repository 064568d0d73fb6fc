import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import type { FinishReason } from '../../../neutral/finish-reason.ts';
import { foldParts } from '../../../neutral/fold-parts.ts';
import type { OutputPart } from '../../../neutral/generation.ts';
import type { StreamPart } from '../../../neutral/stream-part.ts';
import { NO_USAGE } from '../../../neutral/usage.ts';
import { eventsOf } from '../../stream/sse.ts';
import { ResponsesPartsReader } from '../upstream/read-stream.ts';
import { writeResult } from './write-result.ts';
import { ResponsesPartsWriter } from './write-stream.ts';

const generation = {
  model: 'asked',
  stream: true,
  messages: [],
  tools: [{ name: 'f', path: 't' }],
  settings: { temperature: 0, toolChoice: { type: 'auto' as const } },
  showsUsage: true,
  unknown: [],
};
const context = { id: 'ID', created: 7, generation };
const usage = { ...NO_USAGE, input: 10, output: 5, cachedInput: 4, cacheWrite: 3, reasoning: 2 };
const signature = { protocol: 'gemini-generate-content', value: 'G' };
const sealed = { protocol: 'anthropic-messages', value: 'R' };

interface Answer extends Record<string, unknown> {
  output: Record<string, unknown>[];
}
const write = (content: OutputPart[], reason: FinishReason = 'stop'): Answer =>
  JSON.parse(writeResult({ id: undefined, content, finish: { reason }, usage }, context).toString()) as Answer;

describe('a result as a response', () => {
  test('has an item for each part, and the proof of a call before it', () => {
    const {
      output,
      id,
      model,
      created_at,
      usage: reported,
    } = write([
      { type: 'reasoning', text: 'hm', path: '' },
      { type: 'reasoning', text: '', sealed, path: '' },
      { type: 'text', text: 'Hi', citations: [{ url: 'u', title: 't' }], path: '' },
      { type: 'tool-call', id: 'c', name: 'f', arguments: '', signature, path: '' },
    ]);
    assert.deepEqual([id, model, created_at], ['resp_ID', 'asked', 7]);
    const annotations = [{ type: 'url_citation', url: 'u', title: 't', start_index: 0, end_index: 2 }];
    assert.deepEqual(output, [
      { id: 'rs_ID0', type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      { id: 'rs_ID1', type: 'reasoning', summary: [], encrypted_content: 'tg1s.anthropic-messages.R' },
      {
        id: 'msg_ID2',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Hi', annotations, logprobs: [] }],
      },
      { id: 'rs_ID3s', type: 'reasoning', summary: [], encrypted_content: 'tg1.gemini-generate-content.G' },
      { id: 'fc_ID3', type: 'function_call', status: 'completed', call_id: 'c', name: 'f', arguments: '{}' },
    ]);
    assert.deepEqual(reported, {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 15,
    });
  });

  test('repeats what was asked for', () => {
    const answer = write([]);
    assert.deepEqual(answer['tools'], [
      { type: 'function', name: 'f', description: null, parameters: { type: 'object', properties: {} }, strict: false },
    ]);
    assert.deepEqual(
      [answer['temperature'], answer['top_p'], answer['tool_choice'], answer['store']],
      [0, 1, 'auto', false],
    );
  });

  test('is incomplete when it was cut short or silenced, not when the model says why it declines', () => {
    const state = (reason: FinishReason, content: OutputPart[] = []): unknown[] => {
      const { status, incomplete_details } = write(content, reason);
      return [status, incomplete_details];
    };
    assert.deepEqual(state('stop'), ['completed', null]);
    assert.deepEqual(state('tool-calls'), ['completed', null]);
    assert.deepEqual(state('length'), ['incomplete', { reason: 'max_output_tokens' }]);
    assert.deepEqual(state('content-filter'), ['incomplete', { reason: 'content_filter' }]);
    assert.deepEqual(state('refusal'), ['incomplete', { reason: 'content_filter' }]);
    assert.deepEqual(state('refusal', [{ type: 'refusal', text: 'no', path: '' }]), ['completed', null]);
  });
});

const START: StreamPart = { type: 'start', id: 'up' };
const finish = (reason: FinishReason): StreamPart => ({ type: 'finish', finish: { reason }, usage });
const PARTS: StreamPart[] = [
  START,
  { type: 'block-start', index: 0, block: { type: 'reasoning' } },
  { type: 'delta', index: 0, text: '' },
  { type: 'delta', index: 0, text: 'a' },
  { type: 'delta', index: 0, text: 'a' },
  { type: 'signature', index: 0, signature },
  { type: 'block-end', index: 0 },
  { type: 'block-start', index: 1, block: { type: 'reasoning', sealed } },
  { type: 'block-end', index: 1 },
  { type: 'block-start', index: 2, block: { type: 'text' } },
  { type: 'delta', index: 2, text: 'Hel' },
  { type: 'delta', index: 2, text: 'lo' },
  { type: 'citation', index: 2, citation: { url: 'u' } },
  { type: 'block-end', index: 2 },
  { type: 'block-start', index: 3, block: { type: 'tool-call', id: 'c1', name: 'f' } },
  { type: 'block-start', index: 4, block: { type: 'tool-call', id: 'c2', name: 'g' } },
  { type: 'signature', index: 4, signature },
  { type: 'delta', index: 3, text: '{"a":' },
  { type: 'delta', index: 4, text: '{"b":2}' },
  { type: 'delta', index: 3, text: '1}' },
  { type: 'block-end', index: 4 },
  { type: 'block-end', index: 3 },
  { type: 'block-start', index: 5, block: { type: 'tool-call', id: 'c3', name: 'h' } },
  { type: 'block-end', index: 5 },
  finish('tool-calls'),
];

function writeAll(parts: StreamPart[]): string {
  const writer = new ResponsesPartsWriter(context);
  return parts.map((part) => writer.write(part)).join('');
}

function stream(parts: StreamPart[]) {
  const headers = { 'content-type': 'text/event-stream' };
  const events = writeAll(parts);
  const client = new OpenAI({ apiKey: 'k', fetch: () => Promise.resolve(new Response(events, { headers })) });
  return client.responses.stream({ model: 'asked', input: 'x' });
}

describe('parts as a responses stream', () => {
  test("are put together again by the vendor's own accumulator, also when they interleave", async () => {
    const final = await stream(PARTS).finalResponse();
    assert.deepEqual([final.id, final.status, final.output_text], ['resp_ID', 'completed', 'Hello']);
    assert.deepEqual(
      final.output.map((item) => (item.type === 'function_call' ? [item.call_id, item.arguments] : item.type)),
      ['reasoning', 'reasoning', 'message', ['c1', '{"a":1}'], 'reasoning', ['c2', '{"b":2}'], ['c3', '{}']],
    );
    assert.equal(final.usage?.total_tokens, 15);
  });

  test('say on the way what the whole says in the end', async () => {
    const seen: unknown[] = [];
    for await (const event of stream(PARTS))
      if (event.type === 'response.output_item.done') seen[event.output_index] = event.item;
    const final = await stream(PARTS).finalResponse();
    const bare = JSON.parse(JSON.stringify(final.output)) as Record<string, unknown>[];
    assert.deepEqual(
      seen.map((item) => (item as { id: string }).id),
      bare.map(({ id }) => id),
    );
  });

  test('are numbered without a gap, and summaries begin once', () => {
    const events = eventsOf(Buffer.from(writeAll(PARTS))).map(
      ({ data = '' }) => JSON.parse(data) as { type: string; sequence_number: number },
    );
    assert.deepEqual(
      events.map(({ sequence_number }) => sequence_number),
      events.map((_, index) => index),
    );
    assert.equal(events.filter(({ type }) => type === 'response.reasoning_summary_part.added').length, 1);
  });

  test('refusals and answers that were cut short reach the same accumulator', async () => {
    const refusal: StreamPart[] = [
      START,
      { type: 'block-start', index: 0, block: { type: 'refusal' } },
      { type: 'delta', index: 0, text: 'No.' },
      { type: 'block-end', index: 0 },
      finish('refusal'),
    ];
    const refused = await stream(refusal).finalResponse();
    const [item] = refused.output;
    const [first] = item?.type === 'message' ? item.content : [];
    assert.deepEqual([refused.status, first?.type === 'refusal' && first.refusal], ['completed', 'No.']);
    const begun: StreamPart[] = [
      START,
      { type: 'block-start', index: 0, block: { type: 'text' } },
      { type: 'delta', index: 0, text: 'Once' },
      finish('length'),
    ];
    const cut = await stream(begun).finalResponse();
    assert.deepEqual(
      [cut.status, cut.incomplete_details?.reason, cut.output_text],
      ['incomplete', 'max_output_tokens', 'Once'],
    );
  });

  test('are read again by the other side of this protocol as what they were', () => {
    const reader = new ResponsesPartsReader();
    const read = foldParts(eventsOf(Buffer.from(writeAll(PARTS))).flatMap((event) => reader.push(event)));
    assert.deepEqual(
      read?.content.map((part) => (part.type === 'tool-call' ? part.arguments : 'text' in part && part.text)),
      ['aa', '', 'Hello', '{"a":1}', '', '{"b":2}', '{}'],
    );
    assert.deepEqual([read?.finish.reason, read?.usage], ['tool-calls', usage]);
  });

  test('of blocks that never began or are over say nothing', () => {
    assert.equal(writeAll([{ type: 'delta', index: 5, text: 'x' }]), '');
    assert.equal(writeAll([{ type: 'error', message: 'm', code: undefined }]), '');
    const writer = new ResponsesPartsWriter(context);
    for (const part of PARTS.slice(0, 14)) writer.write(part);
    assert.equal(writer.write({ type: 'delta', index: 2, text: 'late' }), '');
  });
});
