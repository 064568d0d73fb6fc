import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import { readMessages } from '../../protocols/anthropic-messages/index.ts';
import { type Operation, StreamError } from '../../protocols/protocol.ts';
import { writtenText } from '../../testing/written-text.ts';
import { requestTarget } from '../build-request.ts';
import { readFramed } from '../framing/framing.ts';
import { bedrock } from './provider.ts';
import { invokeEvents } from './stream-events.ts';

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const settings = { baseUrl: 'https://bedrock-runtime.eu-west-1.amazonaws.com', options: {}, credential: '' };

function pathOf(operation: Operation, model: string, stream = false): string {
  const path = bedrock.paths[operation];
  assert.ok(typeof path === 'function');
  return path(model, stream, settings);
}

test('paths name the model, encoded; Claude is invoked, all others converse (contract-2 9)', () => {
  const encoded = 'us.anthropic.claude-sonnet-4-5-20250929-v1%3A0';
  assert.equal(pathOf('messages', CLAUDE), `/model/${encoded}/invoke`);
  assert.equal(pathOf('messages', CLAUDE, true), `/model/${encoded}/invoke-with-response-stream`);
  assert.equal(pathOf('converse', 'arn:aws:x/y', true), '/model/arn%3Aaws%3Ax%2Fy/converse-stream');
  const carries = (operation: Operation, model: string): boolean | undefined => bedrock.carries?.(operation, model);
  assert.deepEqual([carries('messages', CLAUDE), carries('converse', CLAUDE)], [true, false]);
  assert.deepEqual(
    [carries('messages', 'amazon.nova-pro-v1:0'), carries('converse', 'amazon.nova-pro-v1:0')],
    [false, true],
  );
});

test('a profile of a region is counted as its model, and one of one’s own is not counted', () => {
  assert.equal(pathOf('count-messages', CLAUDE), '/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/count-tokens');
  const own = 'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0';
  assert.deepEqual([bedrock.carries?.('messages', own), bedrock.carries?.('count-messages', own)], [true, false]);
});

test('a request of messages is sent byte for byte, without the model and with the version (contract-2 9)', () => {
  const body = '{"model":"m", "max_tokens":5,"stream":true,"messages":[{"role":"user","content":"ä  b"}]}';
  const request = { ...readMessages(Buffer.from(body)), headers: { 'anthropic-beta': 'one-2025, two-2025' } };
  const target = requestTarget(bedrock, { operation: 'messages', request }, { upstreamModel: CLAUDE, dropFields: [] });
  assert.equal(
    writtenText(request.write(target)),
    '{"max_tokens":5,"messages":[{"role":"user","content":"ä  b"}],"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["one-2025","two-2025"]}',
  );
});

test('counting wraps the request and unwraps the count (contract-2 9)', () => {
  const envelope = bedrock.envelopes?.['count-messages'];
  const written = JSON.parse(String(envelope?.write(Buffer.from('{"messages":[]}')))) as {
    input: { invokeModel: { body: string } };
  };
  const inner = Buffer.from(written.input.invokeModel.body, 'base64').toString();
  assert.deepEqual(JSON.parse(inner), { max_tokens: 1, messages: [] });
  assert.equal(String(envelope?.read(Buffer.from('{"inputTokens":7}'))), '{"input_tokens":7}');
  assert.equal(envelope?.read(Buffer.from('{"message":"no"}')), undefined);
});

test('a request is signed with the region of its host, or of the options; without one it is not sent (contract-2 9)', async () => {
  const request = {
    method: 'POST',
    origin: settings.baseUrl,
    path: '/model/a%3A0/converse',
    headers: {},
    body: null,
  } as const;
  const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) };
  const sign = async (baseUrl: string, region?: string): Promise<string> => {
    const headers = await bedrock.sign(request, 'AKID:SECRET:SESSION', clock, { baseUrl, options: { region } });
    assert.equal(headers['x-amz-security-token'], 'SESSION');
    return headers['authorization'] ?? '';
  };
  assert.match(await sign(settings.baseUrl), /Credential=AKID\/20260102\/eu-west-1\/bedrock\/aws4_request/);
  assert.match(await sign('http://127.0.0.1:1', 'us-west-2'), /\/us-west-2\/bedrock\//);
  await assert.rejects(sign('http://127.0.0.1:1'), /options.region/);
  const bearer = await bedrock.sign(request, 'a-bearer-key', clock, { baseUrl: '', options: {} });
  assert.deepEqual(bearer, { authorization: 'Bearer a-bearer-key' });
  assert.match(bedrock.checkCredential?.('AKID:') ?? '', /ACCESS_KEY:SECRET/);
});

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Buffer.from(text),
);

function frame(name: string, payload: object, kind = 'event'): Buffer {
  const text = (value: string) => ({ type: 'string' as const, value });
  const headers = { [`:${kind}-type`]: text(name), ':message-type': text(kind) };
  return Buffer.from(codec.encode({ headers, body: Buffer.from(JSON.stringify(payload)) }));
}
const chunk = (event: object): Buffer =>
  frame('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abcd' });

const events = [
  { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 3, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße\n' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

function follow(bytes: Buffer) {
  const body = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'x' }], stream: true };
  const reader = readFramed(readMessages(Buffer.from(JSON.stringify(body))).readStream(), invokeEvents);
  let text = '';
  for (let at = 0; at < bytes.length; at += 50) text += reader.push(bytes.subarray(at, at + 50))?.toString() ?? '';
  return { reader, text: text + (reader.last?.toString() ?? '') };
}

test('a stream of InvokeModel reaches the client as the events of the messages protocol, byte for byte (contract-2 9)', () => {
  const { reader, text } = follow(Buffer.concat(events.map(chunk)));
  const wanted = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  assert.equal(text, wanted);
  assert.deepEqual([reader.isComplete(), reader.usage?.input, reader.usage?.output], [true, 3, 9]);
});

test('a throttle inside the stream is one of the messages protocol (contract-2 9)', () => {
  const bytes = [chunk(events[0] ?? {}), frame('throttlingException', { message: 'slow down' }, 'exception')];
  const { reader } = follow(Buffer.concat(bytes));
  assert.deepEqual([reader.complaint?.status, reader.complaint?.message], [429, 'slow down']);
});

test('chunks in another order break the stream (contract-2 9)', () => {
  const [first = {}, second = {}] = events;
  for (const order of [
    [second, first],
    [first, first],
    [...events, second],
  ])
    assert.throws(() => follow(Buffer.concat(order.map(chunk))), StreamError);
});

test('no block is reported before it begins, after it ends or twice, and the message does not end around one (contract-2 9)', () => {
  const [start = {}, begin = {}, delta = {}, stop = {}, tail = {}, end = {}] = events;
  for (const order of [
    [start, delta, begin, stop, tail, end],
    [start, begin, stop, delta, tail, end],
    [start, begin, begin, delta, stop, tail, end],
    [start, stop, begin, delta, tail, end],
    [start, begin, tail, delta, stop, end],
    [start, begin, delta, end],
    [start, begin, delta, stop, tail, begin],
  ])
    assert.throws(() => follow(Buffer.concat(order.map(chunk))), StreamError);
});

test('a ping may stand anywhere in a stream, also before it begins (contract-2 9)', () => {
  const ping = { type: 'ping' };
  const { reader } = follow(Buffer.concat([ping, ...events.flatMap((event) => [event, ping])].map(chunk)));
  assert.equal(reader.isComplete(), true);
});
