import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { redact, redactText } from './redact.ts';

describe('texts', () => {
  test('what looks like a secret is hidden, the words around it stay', () => {
    const cases: [string, string][] = [
      ['the key sk-abcdefgh12345678 failed', 'the key [hidden] failed'],
      ['authorization: Bearer abc.def-ghi, next', 'authorization: [hidden], next'],
      ['"authorization":"bearer abc"', '"authorization":"[hidden]"'],
      ['Basic dXNlcjpwYXNz', '[hidden]'],
      ['{"key":"AIzaSyA1234567890abcdefghijklmnopqrstuv"}', '{"key":"[hidden]"}'],
      ['it is whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD, or gsk_0123456789abcdefgh', 'it is [hidden], or [hidden]'],
    ];
    for (const [text, shown] of cases) assert.equal(redactText(text), shown);
  });

  test('keys in addresses and passwords of addresses are hidden', () => {
    for (const text of [
      'GET /v1beta/models?key=hunter2&x=1',
      'GET /v1beta/models?x=1&key=hunter2',
      'connect postgres://app:hunter2@db.example/x failed',
      'https://user:hunter2@host',
    ])
      assert.doesNotMatch(redactText(text), /hunter2/u, text);
  });

  test('the password of an address without a user is hidden, as Redis has it', () => {
    assert.doesNotMatch(redactText('connect redis://:hunter2@cache:6379 failed'), /hunter2/u);
  });

  test('every occurrence is hidden, also on a second call', () => {
    const text = 'sk-abcdefgh1 and sk-abcdefgh2, pk-abcdefgh3';
    for (let index = 0; index < 2; index++) assert.equal(redactText(text), '[hidden] and [hidden], [hidden]');
  });

  test('ordinary text is left alone', () => {
    for (const text of ['', 'task-manager', 'ask-me-anything-now', 'see http://host:8080/x', 'risk-free', 'key=1'])
      assert.equal(redactText(text), text);
  });
});

describe('errors', () => {
  test('kind, words, code, stack and causes are kept, all without secrets', () => {
    const cause = Object.assign(new Error('sent Bearer hunter2hunter2'), { code: 'ECONNRESET' });
    const logged = redact(new TypeError('no luck with sk-hunter2hunter2', { cause }));
    assert.deepEqual([logged.name, logged.message], ['TypeError', 'no luck with [hidden]']);
    assert.deepEqual([logged.cause?.code, logged.cause?.message], ['ECONNRESET', 'sent [hidden]']);
    assert.ok(logged.stack?.includes('redact.test.ts'));
    assert.doesNotMatch(JSON.stringify(logged), /hunter2/u);
  });

  test('fields that libraries hang on an error, such as headers or queries, are not logged', () => {
    const error = Object.assign(new Error('failed'), { headers: { authorization: 'x' }, query: 'select', code: 5 });
    assert.deepEqual(Object.keys(redact(error)).sort(), ['message', 'name', 'stack']);
  });

  test('a circle of causes ends', () => {
    const error = new Error('round');
    error.cause = error;
    assert.ok(JSON.stringify(redact(error)).length < 20_000);
  });

  test('thrown things that are no errors are named', () => {
    for (const thing of ['sk-hunter2hunter2', 5, null, undefined, Symbol('x'), { a: 1 }])
      assert.equal(redact(thing).name, 'unknown');
    assert.equal(redact('sk-hunter2hunter2').message, '[hidden]');
  });
});
