import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenText } from '../../testing/written-text.ts';
import { readChatRequest } from './read-request.ts';
import { writeChatRequest } from './write-request.ts';

const MESSAGES = '"messages": [ {"role":"user","content":"h\\u0069"} ]';

function write(fields: string, upstreamModel = 'm', dropFields: readonly string[] = []): string {
  const request = readChatRequest(Buffer.from(`{"model":"m", ${MESSAGES}${fields}}`));
  return writtenText(writeChatRequest(request, { upstreamModel, dropFields }));
}

test('a request that needs no change is sent as the very same buffer', () => {
  const bytes = Buffer.from(`{"model":"\\u006d",${MESSAGES},"stream":true,"stream_options":{"include_usage":true}}`);
  const request = readChatRequest(bytes);
  assert.equal(writeChatRequest(request, { upstreamModel: 'm', dropFields: ['store'] }), bytes);
});

test('only the model is rewritten; known and unknown fields keep their bytes (spec 2.10)', () => {
  const rest = ', "temperature":0.10, "x-unknown" : {"big":12345678901234567890}, "stream": false';
  assert.equal(write(rest, 'vendor/"new"'), `{"model":"vendor/\\"new\\"", ${MESSAGES}${rest}}`);
});

test('usage is asked for when streaming, keeping the other stream options', () => {
  const stream = `{"model":"m", ${MESSAGES},"stream":true`;
  assert.equal(write(',"stream":true'), `${stream},"stream_options":{"include_usage":true}}`);
  assert.equal(write(',"stream":true,"stream_options":null'), `${stream},"stream_options":{"include_usage":true}}`);
  assert.equal(
    write(',"stream":true,"stream_options":{"a" : 1, "include_usage":false}'),
    `${stream},"stream_options":{"a" : 1, "include_usage":true}}`,
  );
  assert.equal(
    write(',"stream":true,"stream_options":{"a" : 1}'),
    `${stream},"stream_options":{"a" : 1,"include_usage":true}}`,
  );
  assert.equal(write(',"stream_options":{"a":1}'), `{"model":"m", ${MESSAGES},"stream_options":{"a":1}}`);
});

test("a channel's filter takes its fields out, but never model, messages or stream", () => {
  const drop = ['store', 'model', 'messages', 'stream', 'service_tier'];
  const sent = write(',"store":true,"stream":false,"service_tier":"x","store":false', 'm', drop);
  assert.equal(sent, `{"model":"m", ${MESSAGES},"stream":false}`);
});

test('a channel that filters stream_options is not asked for usage', () => {
  assert.equal(write(',"stream":true', 'm', ['stream_options']), `{"model":"m", ${MESSAGES},"stream":true}`);
});
