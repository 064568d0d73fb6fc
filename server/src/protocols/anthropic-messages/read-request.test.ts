import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused } from '../../testing/refusals.ts';
import { writtenText } from '../../testing/written-text.ts';
import { readTokenCount } from '../json/count-tokens.ts';
import { readCountTokens, readMessages, writeTokenCount } from './index.ts';

const read = (text: string) => readMessages(Buffer.from(text));
const MESSAGES = '"messages":[{"role":"user","content":"hi"}]';
const refuses = (text: string, message: string, param: string): void => assertRefused(() => read(text), message, param);
const field = (text: string, message: string, name: string): void =>
  refuses(`{"model":"m","max_tokens":5,${MESSAGES},${text}}`, message, name);
const messages = (text: string, message: string, name: string): void =>
  refuses(`{"model":"m","max_tokens":5,"messages":${text}}`, message, name);

describe('a messages request', () => {
  test('is read for the route, the stream and the money', () => {
    const plain = read(`{"model":"m","max_tokens":5,${MESSAGES}}`);
    assert.deepEqual([plain.model, plain.stream, plain.maxOutputTokens, plain.choices], ['m', false, 5, 1]);
    assert.equal(read(`{"model":"m","max_tokens":5,"stream":true,${MESSAGES}}`).stream, true);
    const image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${'A'.repeat(4000)}"}}`;
    const seen = read(`{"model":"m","max_tokens":5,"messages":[{"role":"user","content":[${image}]}]}`);
    assert.equal(seen.mediaCount, 1);
    assert.ok(seen.inputBytes < 300, String(seen.inputBytes));
  });

  test('is refused without model, max_tokens or messages (spec 4.5)', () => {
    refuses(`{"max_tokens":5,${MESSAGES}}`, "'model' is required.", 'model');
    refuses(`{"model":"m",${MESSAGES}}`, "'max_tokens' is required.", 'max_tokens');
    refuses(`{"model":"m","max_tokens":null,${MESSAGES}}`, "'max_tokens' is required.", 'max_tokens');
    refuses('{"model":"m","max_tokens":5}', "'messages' is required.", 'messages');
    messages('[]', "'messages' must not be empty.", 'messages');
    messages('"hi"', "'messages' must be an array.", 'messages');
  });

  test('is refused when a message is not {role, content} (spec 4.5)', () => {
    const good = '{"role":"user","content":"hi"}';
    messages(`[${good},"x"]`, "'messages[1]' must be an object.", 'messages[1]');
    messages('[{"content":"x"}]', "'messages[0].role' is required.", 'messages[0].role');
    messages('[{"role":1,"content":"x"}]', "'messages[0].role' must be a string.", 'messages[0].role');
    messages(`[${good},{"role":"user"}]`, "'messages[1].content' is required.", 'messages[1].content');
    messages(`[ {"role":"user","content":null} ]`, "'messages[0].content' is required.", 'messages[0].content');
    const wrong = "'messages[0].content' must be a string or an array.";
    messages('[{"role":"user","content":{"text":"x"}}]', wrong, 'messages[0].content');
    const twice = "'messages[0].content' is given more than once.";
    messages('[{"role":"user","content":"a","content":"b"}]', twice, 'messages[0].content');
    messages('[{"Role":"user","content":"a"}]', "'Role' must be written 'role'.", 'role');
    const many = Array.from({ length: 5000 }, (_, index) => `"f${index}":0`).join();
    messages(`[{${many}}]`, "'messages[0]' is not valid: more than 4096 fields.", 'messages[0]');
  });

  test('is refused when a known field has the wrong type or a deciding one stands twice', () => {
    const whole = "'max_tokens' must be a whole number of at least 1.";
    for (const value of ['0', '-1', '1.5'])
      refuses(`{"model":"m","max_tokens":${value},${MESSAGES}}`, whole, 'max_tokens');
    refuses(`{"model":"m","max_tokens":"5",${MESSAGES}}`, "'max_tokens' must be a whole number.", 'max_tokens');
    field('"stream":1', "'stream' must be true or false.", 'stream');
    field('"system":{}', "'system' must be a string or an array.", 'system');
    field('"tools":{}', "'tools' must be an array.", 'tools');
    field('"thinking":"on"', "'thinking' must be an object.", 'thinking');
    field('"stop_sequences":"x"', "'stop_sequences' must be an array.", 'stop_sequences');
    field('"max_tokens":6', "'max_tokens' is given more than once.", 'max_tokens');
  });

  test('is written with only the model and the filtered fields changed; unknown fields pass', () => {
    const request = read(`{"model":"m", ${MESSAGES},"max_tokens":5,"x":{"y":1.0},"service_tier":"auto"}`);
    const dropFields = ['service_tier', 'messages', 'max_tokens'];
    assert.equal(
      writtenText(request.write({ upstreamModel: 'up', dropFields })),
      `{"model":"up", ${MESSAGES},"max_tokens":5,"x":{"y":1.0}}`,
    );
  });
});

describe('a request to count tokens', () => {
  test('needs no max_tokens, but all the rest', () => {
    assert.equal(readCountTokens(Buffer.from(`{"model":"m",${MESSAGES}}`)).maxOutputTokens, undefined);
    assertRefused(() => readCountTokens(Buffer.from('{"model":"m"}')), "'messages' is required.", 'messages');
  });

  test('is answered with the count', () => {
    assert.equal(writeTokenCount(14).toString(), '{"input_tokens":14}');
    assert.equal(readTokenCount(Buffer.from('{"input_tokens":14}')), 14);
    assert.equal(readTokenCount(Buffer.from('{"input_tokens":"many"}')), undefined);
    assert.equal(readTokenCount(Buffer.from('<html>')), undefined);
  });
});
