import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { foldParts } from '../../../neutral/fold-parts.ts';
import type { GenerationResult } from '../../../neutral/generation.ts';
import type { StreamPart } from '../../../neutral/stream-part.ts';
import { NO_USAGE } from '../../../neutral/usage.ts';
import { StreamError } from '../../protocol.ts';
import { EventAligner, eventsOf } from '../../stream/sse.ts';
import { readResult } from './read-result.ts';
import { ResponsesPartsReader } from './read-stream.ts';

const signature = { protocol: 'openai-responses', value: 'rs_1:E' };
const REASONING = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [
    { type: 'summary_text', text: 'a' },
    { type: 'summary_text', text: 'b' },
  ],
  encrypted_content: 'E',
};
const annotation = { type: 'url_citation', url: 'u', title: 't', start_index: 0, end_index: 2 };
const MESSAGE = {
  type: 'message',
  id: 'msg_1',
  content: [{ type: 'output_text', text: 'Hé', annotations: [annotation, { type: 'file_citation' }] }],
};
const CALL = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"a":1}' };
const usage = {
  input_tokens: 9,
  output_tokens: 3,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
  output_tokens_details: { reasoning_tokens: 1 },
};
const RESPONSE = {
  id: 'resp_1',
  status: 'completed',
  output: [REASONING, { type: 'web_search_call' }, MESSAGE, CALL],
  usage,
};
const CONTENT = [
  { type: 'reasoning', text: 'a\n\nb', signature, path: '' },
  { type: 'text', text: 'Hé', citations: [{ url: 'u', title: 't', start: 0, end: 2 }], path: '' },
  { type: 'tool-call', id: 'c', name: 'f', arguments: '{"a":1}', path: '' },
];
const USAGE = { ...NO_USAGE, input: 9, output: 3, cachedInput: 4, cacheWrite: 2, reasoning: 1 };
const whole = (body: unknown): GenerationResult | undefined => readResult(Buffer.from(JSON.stringify(body)));

describe('a whole response', () => {
  test('is read with reasoning, text, citations, calls and usage', () => {
    assert.deepEqual(whole(RESPONSE), {
      id: 'resp_1',
      content: CONTENT,
      finish: { reason: 'tool-calls' },
      usage: USAGE,
    });
  });

  test('says by its status and its items why it ended', () => {
    const reason = (fields: object): unknown => whole({ output: [], ...fields })?.finish.reason;
    const cut = (why: string): unknown => reason({ status: 'incomplete', incomplete_details: { reason: why } });
    assert.deepEqual(
      [cut('max_output_tokens'), cut('content_filter'), cut('steered'), reason({ status: 'incomplete' })],
      ['length', 'content-filter', 'other', 'other'],
    );
    assert.equal(reason({ status: 'completed' }), 'stop');
    assert.equal(reason({ output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'n' }] }] }), 'refusal');
  });

  test('of any shape is read without harm', () => {
    for (const body of ['', '[]', '{}', '{"output":{}}', 'null']) {
      assert.equal(readResult(Buffer.from(body)), undefined);
    }
    const output = [
      null,
      5,
      {},
      { type: 'message', content: 'x' },
      { type: 'message', content: [null, { type: 'output_text' }] },
      { type: 'function_call' },
      { type: 'reasoning', summary: 3 },
    ];
    const nothing = { id: undefined, content: [], finish: { reason: 'tool-calls' }, usage: undefined };
    assert.deepEqual(whole({ output, usage: [] }), nothing);
  });
});

let sequence = 0;
const event = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`;
const at = (output_index: number, fields: object = {}): object => ({ output_index, content_index: 0, ...fields });
const CREATED = event('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } });
const COMPLETED = event('response.completed', { response: RESPONSE });

const RICH =
  CREATED +
  event('response.output_item.added', at(0, { item: { ...REASONING, summary: [] } })) +
  event('response.reasoning_summary_part.added', at(0, { summary_index: 0 })) +
  event('response.reasoning_summary_text.delta', at(0, { delta: 'a' })) +
  event('response.reasoning_summary_part.added', at(0, { summary_index: 1 })) +
  event('response.reasoning_summary_text.delta', at(0, { delta: 'b' })) +
  event('response.output_item.done', at(0, { item: REASONING })) +
  event('response.output_item.added', at(2, { item: { ...MESSAGE, content: [] } })) +
  event('response.output_text.delta', at(2, { delta: 'H' })) +
  event('response.output_text.delta', at(2, { delta: 'é' })) +
  event('response.output_text.annotation.added', at(2, { annotation })) +
  event('response.output_text.done', at(2, { text: 'Hé' })) +
  event('response.output_item.done', at(2, { item: MESSAGE })) +
  event('response.output_item.added', at(3, { item: { ...CALL, arguments: '' } })) +
  event('response.function_call_arguments.delta', at(3, { delta: '{"a":' })) +
  event('response.function_call_arguments.delta', at(3, { delta: '1}' })) +
  event('response.function_call_arguments.done', at(3, { arguments: CALL.arguments })) +
  event('response.output_item.done', at(3, { item: CALL })) +
  COMPLETED;

function parts(text: string, reader = new ResponsesPartsReader()): StreamPart[] {
  return eventsOf(Buffer.from(text)).flatMap((one) => reader.push(one));
}
const fold = (text: string): GenerationResult | undefined => foldParts(parts(text));

describe('a responses stream', () => {
  test('comes to the same as the whole response, each block reported once', () => {
    assert.deepEqual(fold(RICH), whole(RESPONSE));
    const kinds = parts(RICH).map((part) => ('index' in part ? `${part.type} ${part.index}` : part.type));
    assert.deepEqual(kinds, [
      'start',
      'block-start 0',
      'delta 0',
      'delta 0',
      'delta 0',
      'signature 0',
      'block-end 0',
      'block-start 1',
      'delta 1',
      'delta 1',
      'citation 1',
      'block-end 1',
      'block-start 2',
      'delta 2',
      'delta 2',
      'block-end 2',
      'finish',
    ]);
  });

  test('may leave out its deltas, or everything before its last event', () => {
    const items = [REASONING, MESSAGE, CALL].map((item, index) =>
      event('response.output_item.done', at(index, { item })),
    );
    assert.deepEqual(fold(CREATED + items.join('') + COMPLETED)?.content, CONTENT);
    assert.deepEqual(fold(CREATED + COMPLETED), whole(RESPONSE));
    const text = event('response.output_text.done', at(0, { text: 'only this' }));
    assert.deepEqual(fold(CREATED + text + COMPLETED)?.content, [{ type: 'text', text: 'only this', path: '' }]);
    const begun = event('response.output_text.delta', at(0, { delta: 'on' }));
    assert.deepEqual(fold(CREATED + begun + text + COMPLETED)?.content, [
      { type: 'text', text: 'only this', path: '' },
    ]);
  });

  test('tells by its events why it ended where the last one does not', () => {
    const bare = event('response.completed', { response: { id: 'resp_1' } });
    const call = event('response.output_item.done', at(0, { item: CALL }));
    assert.equal(fold(CREATED + call + bare)?.finish.reason, 'tool-calls');
    const refusal = event('response.refusal.delta', at(0, { delta: 'no' }));
    assert.deepEqual(fold(CREATED + refusal + bare)?.finish.reason, 'refusal');
    const cut = { response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } } };
    assert.equal(fold(CREATED + event('response.incomplete', cut))?.finish.reason, 'length');
  });

  test('gives the same parts however its bytes are cut', () => {
    const bytes = Buffer.from(RICH);
    const expected = parts(RICH);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 40 }), (cuts) => {
        const aligner = new EventAligner();
        const reader = new ResponsesPartsReader();
        const positions = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
        const read = positions.slice(1).flatMap((end, index) => {
          const block = aligner.push(bytes.subarray(positions[index], end));
          return block === undefined ? [] : eventsOf(block).flatMap((one) => reader.push(one));
        });
        assert.deepEqual(read, expected);
      }),
    );
  });

  test('may fail at any time, and only its own events end it', () => {
    const failed = event('response.failed', { response: { error: { code: 'server_error', message: 'oh' } } });
    assert.deepEqual(parts(CREATED + failed + COMPLETED).at(-1), {
      type: 'error',
      message: 'oh',
      code: 'server_error',
    });
    const error = event('error', { code: 'rate_limit', message: 'slow' });
    assert.deepEqual(parts(error), [{ type: 'error', message: 'slow', code: 'rate_limit' }]);
    const reader = new ResponsesPartsReader();
    parts(CREATED, reader);
    assert.deepEqual(reader.end(), []);
  });

  test('of another protocol is refused, and oddities within one are passed over', () => {
    assert.throws(() => parts('data: <html>\n\n'), StreamError);
    const odd =
      event('response.output_text.delta', { output_index: {}, delta: 5 }) +
      event('response.function_call_arguments.delta', at(0, { delta: 'x' })) +
      event('response.output_text.annotation.added', at(8, { annotation })) +
      event('response.output_item.added', at(1)) +
      event('response.output_item.done', at(1, { item: { type: 'hologram' } })) +
      event('response.hologram.delta', at(1, { delta: 'x' })) +
      'data: nonsense\n\n: comment\n\n';
    const last = event('response.completed', { response: { id: 'resp_1', output: [] } });
    assert.deepEqual(fold(CREATED + odd + last + RICH)?.content, []);
  });
});
