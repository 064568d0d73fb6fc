import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChatRequest } from './read-request.ts';
import type { ChatRequest } from './read-request.ts';

const MESSAGES = '"messages":[{"role":"user","content":"hi"}]';
const read = (fields: string): ChatRequest => readChatRequest(Buffer.from(`{"model":"m",${MESSAGES}${fields}}`));

function refuses(text: string, message: string, param?: string): void {
  assert.throws(
    () => readChatRequest(Buffer.from(text)),
    (error: unknown) => {
      assert.ok(error instanceof Error && 'code' in error && 'details' in error);
      assert.equal(error.code, 'invalid_request');
      assert.deepEqual(error.details, param === undefined ? { message } : { message, param });
      return true;
    },
    text,
  );
}

const refusesField = (fields: string, message: string, param: string): void =>
  refuses(`{"model":"m",${MESSAGES}${fields}}`, message, param);

test('the routed fields are read, with their defaults (spec 2.10)', () => {
  const { json, ...plain } = read('');
  assert.deepEqual(plain, {
    model: 'm',
    stream: false,
    asksUsage: false,
    maxOutputTokens: undefined,
    choices: 1,
    inputBytes: json.bytes.length,
    mediaCount: 0,
  });
  const full = read(',"stream":true,"stream_options":{"include_usage":true},"max_tokens":5,"n":3');
  assert.deepEqual([full.stream, full.asksUsage, full.maxOutputTokens, full.choices], [true, true, 5, 3]);
  assert.equal(read(',"max_tokens":5,"max_completion_tokens":7').maxOutputTokens, 7);
  assert.equal(read(',"max_tokens":9,"max_completion_tokens":7').maxOutputTokens, 9, 'whichever the upstream heeds');
  assert.equal(readChatRequest(Buffer.from(`{"model":"a\\u002fb",${MESSAGES}}`)).model, 'a/b');
});

test('null counts as absent for every field', () => {
  const nulls = ['stream', 'stream_options', 'max_completion_tokens', 'n', 'temperature', 'tools', 'store'];
  const request = read(`,"max_tokens":9,${nulls.map((name) => `"${name}":null`).join()}`);
  assert.deepEqual([request.stream, request.maxOutputTokens, request.choices], [false, 9, 1]);
  assert.equal(read(',"stream_options":{"include_usage":null}').asksUsage, false);
  refuses(`{"model":null,${MESSAGES}}`, "'model' is required.", 'model');
  refuses('{"model":"m","messages":null}', "'messages' is required.", 'messages');
});

test('a body that is no JSON object is refused with its fault', () => {
  refuses('{"model":}', "The body is not a valid JSON object: unexpected character '}' at byte 9.");
  refuses('[]', 'The body is not a valid JSON object: its type is array.');
  refuses('', 'The body is not a valid JSON object: it is empty.');
  refuses(`{"a":${'['.repeat(500)}`, 'The body is not a valid JSON object: nested deeper than 128 levels.');
});

test('a field of the wrong type is refused by name (spec 2.10)', () => {
  refusesField(',"temperature":"0.5"', "'temperature' must be a number.", 'temperature');
  refusesField(',"stream":"true"', "'stream' must be true or false.", 'stream');
  refusesField(',"stream":1', "'stream' must be true or false.", 'stream');
  refusesField(',"stop":5', "'stop' must be a string or an array.", 'stop');
  refusesField(',"tools":{}', "'tools' must be an array.", 'tools');
  refusesField(',"tool_choice":[]', "'tool_choice' must be a string or an object.", 'tool_choice');
  refusesField(',"metadata":[]', "'metadata' must be an object.", 'metadata');
  refusesField(',"stream_options":true', "'stream_options' must be an object.", 'stream_options');
  refusesField(',"modalities":"text"', "'modalities' must be an array or an object.", 'modalities');
  refuses(`{"model":5,${MESSAGES}}`, "'model' must be a string.", 'model');
  refuses('{"model":"m","messages":"hi"}', "'messages' must be an array.", 'messages');
  read(
    ',"store":1,"service_tier":[],"safety_identifier":{},"anything":[1],"tool_choice":"auto","stop":["a"],"modalities":{}',
  );
});

test('model and messages are required; prefix or suffix may stand for messages (spec 2.10)', () => {
  refuses(`{${MESSAGES}}`, "'model' is required.", 'model');
  refuses(`{"model":"",${MESSAGES}}`, "'model' is required.", 'model');
  refuses('{"model":"m"}', "'messages' is required.", 'messages');
  refuses('{"model":"m","prompt":"hi"}', "'messages' is required.", 'messages');
  refuses('{"model":"m","prefix":null}', "'messages' is required.", 'messages');
  refuses('{"model":"m","messages":[ ],"prefix":"a"}', "'messages' must not be empty.", 'messages');
  assert.equal(readChatRequest(Buffer.from('{"model":"m","prefix":"def f("}')).model, 'm');
  assert.equal(readChatRequest(Buffer.from('{"model":"m","suffix":""}')).model, 'm');
});

test('token limits and the number of choices are whole and within range', () => {
  for (const value of ['0', '-1', '1.5', '1e300', '9007199254740993']) {
    refusesField(`,"max_tokens":${value}`, "'max_tokens' must be a whole number of at least 1.", 'max_tokens');
  }
  const sentence = "'max_completion_tokens' must be a whole number of at least 1.";
  refusesField(',"max_completion_tokens":0', sentence, 'max_completion_tokens');
  refusesField(',"max_tokens":"5"', "'max_tokens' must be a whole number.", 'max_tokens');
  for (const value of ['0', '129', '1.5']) {
    refusesField(`,"n":${value}`, "'n' must be a whole number from 1 to 128.", 'n');
  }
  assert.equal(read(',"n":128,"max_tokens":1e3').choices, 128);
});

test('a deciding field given twice is refused, in any spelling; others may repeat', () => {
  refusesField(',"model":"other"', "'model' is given more than once.", 'model');
  refusesField(',"mod\\u0065l":"m"', "'model' is given more than once.", 'model');
  refusesField(',"messages":[{}]', "'messages' is given more than once.", 'messages');
  for (const [name, value] of Object.entries({ stream: 'false', stream_options: '{}', max_tokens: '1', n: 'null' })) {
    refusesField(`,"${name}":${value},"${name}":${value}`, `'${name}' is given more than once.`, name);
  }
  read(',"user":"a","user":"b"');
});

test('a name that upstreams without regard to case would take for a known one is refused', () => {
  refusesField(',"Model":"other"', "'Model' must be written 'model'.", 'model');
  refusesField(',"\\u017ftream":true', "'ſtream' must be written 'stream'.", 'stream');
  refusesField(',"max_to\\u212aens":1', "'max_to\u212Aens' must be written 'max_tokens'.", 'max_tokens');
  read(',"X-Model":"other","USER":"a"');
});

test('include_usage is a single boolean', () => {
  const name = 'stream_options.include_usage';
  refusesField(',"stream_options":{"include_usage":1}', `'${name}' must be true or false.`, name);
  const twice = ',"stream_options":{"include_usage":true,"include_usage":false}';
  refusesField(twice, `'${name}' is given more than once.`, name);
  assert.equal(read(',"stream_options":{"include_usage":false,"other":1}').asksUsage, false);
});

test('embedded media are counted apart from the bytes of the input', () => {
  const url = `data:image/png;base64,${'A'.repeat(5000)}`;
  const body = { model: 'm', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] };
  const bytes = Buffer.from(JSON.stringify(body));
  const request = readChatRequest(bytes);
  assert.equal(request.mediaCount, 1);
  assert.equal(request.inputBytes, bytes.length - url.length);
});
