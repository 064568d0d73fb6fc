import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { NO_USAGE } from '../../neutral/usage.ts';
import { openaiChatUpstream } from '../openai-chat/index.ts';
import { translateRequest } from '../translation/translate.ts';
import { openaiResponsesClient, readResponse } from './index.ts';
import { idOfAnswer, idOfFirstEvent, idOfUnfinished } from './read-id.ts';
import { readResponseStream, responseErrorEvent } from './relay-stream.ts';

const RECORDED = readFileSync(new URL('__fixtures__/stream.chunks.txt', import.meta.url));
const USAGE = { ...NO_USAGE, input: 36, output: 87, cachedInput: 12, reasoning: 40 };
const LAST_AT = RECORDED.indexOf('event: response.completed');
const say = (type: string, more: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

function cutAt(bytes: Buffer, positions: number[]): Buffer[] {
  const cuts = [...new Set(positions.map((position) => position % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
}

describe('a stream of responses', () => {
  test('passes as it came, however it is cut, and its last event is held back', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: RECORDED.length }), { maxLength: 40 }), fc.boolean(), (positions, crlf) => {
        const bytes = crlf ? Buffer.from(String(RECORDED).replaceAll('\n', '\r\n')) : RECORDED;
        const reader = readResponseStream();
        const shown = cutAt(bytes, positions).flatMap((chunk) => reader.push(chunk) ?? []);
        const whole = Buffer.concat([...shown, reader.last ?? Buffer.alloc(0)]);
        assert.equal(String(whole), String(bytes));
        // Cut between CR and LF, the LF of the event before comes with it.
        assert.match(String(reader.last), /^\n?event: response\.completed/);
        assert.deepEqual([reader.started, reader.ended, reader.isComplete()], [true, true, true]);
        assert.deepEqual(reader.usage, USAGE);
        assert.equal(reader.complaint, undefined);
      }),
      { examples: [[[3577], true]] },
    );
  });

  test('that stops anywhere before its end is not complete', () => {
    fc.assert(
      fc.property(fc.nat({ max: LAST_AT }), (end) => {
        const reader = readResponseStream();
        reader.push(RECORDED.subarray(0, end));
        assert.deepEqual([reader.ended, reader.isComplete(), reader.usage], [false, false, undefined]);
      }),
    );
  });

  test('counts pieces of text, of arguments and of reasoning', () => {
    const reader = readResponseStream();
    reader.push(Buffer.from(say('response.created', { response: {} })));
    assert.equal(reader.outputPieces, 0);
    for (const kind of ['output_text', 'function_call_arguments', 'reasoning_summary_text', 'reasoning_text'])
      reader.push(Buffer.from(say(`response.${kind}.delta`, { delta: 'x' })));
    reader.push(Buffer.from(say('response.output_text.done', { text: 'x' })));
    assert.equal(reader.outputPieces, 4);
    for (const kind of [
      'custom_tool_call_input',
      'mcp_call_arguments',
      'code_interpreter_call_code',
      'shell_call_command',
    ])
      reader.push(Buffer.from(say(`response.${kind}.delta`, { delta: 'x' })));
    assert.equal(reader.outputPieces, 8, 'what is written to tools, too (promise M-07)');
  });

  test('counts by bytes of text where few pieces hold much, however they are cut', () => {
    const created = say('response.created', { response: {} });
    const frame = { item_id: 'msg_1', output_index: 0, logprobs: [{ token: 'x'.repeat(900) }] };
    const text = 'say \\ "moon" '.repeat(300);
    const size = text.length;
    const packed = say('response.output_text.delta', { ...frame, delta: text });
    const spaced = packed.replace('"delta":', '"delta" : ');
    const done = say('response.output_text.done', { text });
    for (const piece of [packed, spaced])
      for (const chunks of [[piece, piece], [piece + piece], [piece + done, piece], [done, piece + piece]]) {
        const reader = readResponseStream();
        for (const chunk of [created, ...chunks]) reader.push(Buffer.from(chunk));
        assert.equal(reader.outputPieces, Math.ceil((2 * size) / 4));
      }
    const ending = readResponseStream();
    ending.push(Buffer.from(created + packed + say('response.completed', { response: {} })));
    assert.deepEqual([ending.ended, ending.outputPieces], [true, Math.ceil(size / 4)]);
  });

  test('counts pieces that hold little one by one, whatever stands around their text', () => {
    const reader = readResponseStream();
    reader.push(Buffer.from(say('response.created', { response: {} })));
    for (let index = 0; index < 100; index++) {
      const logprobs = [{ token: 'x'.repeat((index * 700) % 900) }];
      const piece = { sequence_number: index, item_id: 'm'.repeat(64), delta: ' moon', logprobs };
      reader.push(Buffer.from(say('response.output_text.delta', piece)));
    }
    assert.equal(reader.outputPieces, 100);
    reader.push(Buffer.from(say('response.function_call_arguments.delta', { item_id: 'f', delta: 'x'.repeat(8_000) })));
    const packed = reader.outputPieces;
    assert.ok(packed >= 2_000 && packed <= 2_200, String(packed));
  });

  test('counts sealed reasoning once, also where the end repeats it in the same block (promise M-07)', () => {
    const item = { type: 'reasoning', summary: [], encrypted_content: 'x'.repeat(4_000) };
    const reader = readResponseStream();
    reader.push(Buffer.from(say('response.created', { response: {} })));
    const end = say('response.completed', { response: { output: [item] } });
    reader.push(Buffer.from(say('response.output_item.done', { item }) + end));
    assert.deepEqual([reader.ended, reader.outputPieces], [true, 1_000]);
  });

  test('may end incomplete, with usage', () => {
    const reader = readResponseStream();
    const usage = { input_tokens: 5, output_tokens: 2 };
    reader.push(Buffer.from(say('response.created') + say('response.incomplete', { response: { usage } })));
    assert.deepEqual([reader.ended, reader.usage], [true, { ...NO_USAGE, input: 5, output: 2 }]);
  });

  test('tells what went wrong when it fails, and shows nothing of it', () => {
    const failed = readResponseStream();
    const error = { code: 'server_error', message: 'it broke' };
    const shown = failed.push(Buffer.from(say('response.created') + say('response.failed', { response: { error } })));
    assert.equal(String(shown), say('response.created'));
    assert.deepEqual(failed.complaint, { code: 'server_error', message: 'it broke', param: undefined });
    const early = readResponseStream();
    assert.equal(early.push(Buffer.from(say('error', { message: 'no', code: null, param: 'input' }))), undefined);
    assert.deepEqual(early.complaint, { code: undefined, message: 'no', param: 'input' });
    assert.equal(early.started, false);
  });

  test('that the gateway ends says so in its own words', () => {
    const event = responseErrorEvent({ message: 'It broke.', param: null, code: 'upstream_error' }, 3);
    assert.equal(
      String(event),
      'event: error\ndata: {"type":"error","sequence_number":3,"code":"upstream_error","message":"It broke.","param":null}\n\n',
    );
  });

  test('that the gateway ends is numbered to its end', () => {
    const request = readResponse(Buffer.from('{"model":"m","input":"a","stream":true}'));
    const error = { message: 'It broke.', type: 'upstream_error', param: null, code: 'upstream_error' };
    const ends = (): string => String(request.framing?.errorEvent(error));
    assert.match(ends(), /"sequence_number":0,/, 'nothing was said');
    const translation = { from: openaiResponsesClient, to: openaiChatUpstream, id: 'i', created: 1 };
    const translated = translateRequest(request, { ...translation, strict: false, defaultMaxOutput: 9 });
    const stream = translated?.readStream();
    stream?.push(Buffer.from('data: {"choices":[{"delta":{"content":"a"}}]}\n\n'));
    const shown = String(
      stream?.push(Buffer.from('data: {"choices":[{"delta":{"content":"\\"sequence_number\\":99"}}]}\n\n')),
    );
    const number = Number(/"sequence_number":(\d+)/.exec(shown)?.[1]);
    assert.ok(number > 3);
    assert.match(ends(), new RegExp(`"sequence_number":${number + 1},`));
    const relayed = request.readStream();
    assert.match(ends(), /"sequence_number":0,/, 'another attempt');
    relayed.push(Buffer.from(say('response.created', { sequence_number: 41 })));
    assert.match(ends(), /"sequence_number":42,/);
  });
});

test('the id of a response stands in its first event already, and in an answer that is not over', () => {
  const created = say('response.created', { response: { id: 'resp_1' } });
  assert.equal(idOfFirstEvent(Buffer.from(`: ping\n\n${created}${say('response.output_text.delta')}`)), 'resp_1');
  assert.equal(idOfFirstEvent(RECORDED), 'resp_67ccd2bed1ec8190b14f964abc054267');
  assert.equal(idOfFirstEvent(Buffer.from(say('response.output_text.delta', { delta: 'x' }))), undefined);
  const answer = (status: string): Buffer => Buffer.from(JSON.stringify({ id: 'resp_1', status, output: [] }));
  for (const status of ['queued', 'in_progress']) assert.equal(idOfUnfinished(answer(status)), 'resp_1');
  for (const status of ['completed', 'failed', 'incomplete', 'cancelled'])
    assert.equal(idOfUnfinished(answer(status)), undefined);
  assert.equal(idOfUnfinished(Buffer.from('<html>')), undefined);
});

test('the id of a response is read from a whole answer and from an event, unless it could not stand in a path', () => {
  const id = 'resp_67ccd2bed1ec8190b14f964abc054267';
  assert.equal(idOfFirstEvent(RECORDED.subarray(LAST_AT)), id);
  assert.equal(idOfAnswer(readFileSync(new URL('__fixtures__/whole.json', import.meta.url))), id);
  for (const other of ['../models', '', 'a b', 7, null])
    assert.equal(idOfAnswer(Buffer.from(JSON.stringify({ id: other }))), undefined);
  assert.equal(idOfAnswer(Buffer.from('<html>')), undefined);
  assert.equal(idOfFirstEvent(Buffer.from(say('error', { message: 'no' }))), undefined);
  assert.equal(idOfFirstEvent(Buffer.from(': ping\n\n')), undefined);
});
